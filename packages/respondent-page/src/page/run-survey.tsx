import { missingRequired, mostAnswers, type PublicDefinition } from "@canvass/questions";
import { isSameJson } from "@canvass/inputs";
import { render } from "preact";
import type { PageModel } from "survey-core";
import { keyOfName } from "../mapping/mapped-type.ts";
import type { DeviceStore } from "../saving/device-store.ts";
import type { Link, LinkApi, Refusal } from "../saving/link-api.ts";
import { otherTabs, type Stored } from "../saving/other-tabs.ts";
import type { Save, SaveQueue } from "../saving/save-queue.ts";
import { createSaver } from "../saving/saver.ts";
import type { Words } from "../words/words.ts";
import { autoAdvance } from "./auto-advance.ts";
import { summaryId, type Problem } from "./error-summary.tsx";
import { faultsOf } from "./judge.ts";
import { pageHistory } from "./page-history.ts";
import { problemsOn, questionOf, showRefused } from "./problems.ts";
import { createSurvey, putAnswers } from "./survey-model.ts";
import { createUploads } from "./uploads.ts";
import { SurveyScreen, type SurveyScreenState } from "./survey-screen.tsx";

export interface SurveyRun {
  root: HTMLElement;
  code: string;
  api: LinkApi;
  store: DeviceStore;
  queue: SaveQueue;
  link: Link;
  definition: PublicDefinition;
  words: Words;
  language: string;
  /** Answers that the server has or will have from the queue. */
  stored: ReadonlyMap<string, unknown>;
  /** The page the server heard of last. */
  lastPage: string | null;
  onDone: () => void;
  onClosed: (refusal: Refusal) => void;
  onLanguage: (language: string) => void;
}

/** Lets a person answer a survey: draws it, saves page by page, and ends with `onDone`. */
export function runSurvey(run: SurveyRun): void {
  const { root, code, api, store, queue, link, definition, words, language } = run;
  const stored = new Map(run.stored);
  const draft: Record<string, unknown> = store.read().draft ?? {};
  const given = new Map([...stored, ...Object.entries(draft)].filter(([, value]) => value !== null));
  const { model, way } = createSurvey(definition, given, link.survey.settings, words, language);
  let state: SurveyScreenState = { saving: "idle", problems: [], isSending: false, position: 1, total: 1 };
  const ending = new AbortController();
  const ended = ending.signal;

  const tellTabs = otherTabs(code, ended, hear);
  const saver = createSaver(
    { code, api, store, queue, ended },
    {
      onState: (saving) => draw({ saving }),
      onStored,
      onRefused,
      onClosed: (refusal) => over(() => run.onClosed(refusal)),
      onLost: () => void loseSession(),
      onStarted: (begun) => {
        if (!isSameJson(begun, definition)) location.reload();
      },
    },
  );
  model.sendFile = createUploads(code, saver.session);
  const pages = pageHistory(ended, (page) => void leave().then(() => show(page)));

  function draw(change: Partial<SurveyScreenState> = {}): void {
    if (ended.aborted) return;
    state = { ...state, ...change, position: model.currentPageNo + 1, total: model.visiblePageCount };
    render(
      <SurveyScreen
        {...state}
        {...{ model, link, words, language }}
        onNext={() => void next()}
        onPrevious={() => void previous()}
        onLanguage={(language) => over(() => run.onLanguage(language))}
        onProblem={focusOn}
      />,
      root,
    );
  }

  function over(then: () => void): void {
    ending.abort();
    then();
  }

  /** Opens a page that is on the way and begins to read it. */
  function show(name: string): void {
    const page = model.getPageByName(name);
    if (!page?.isVisible || page === model.currentPage) return;
    model.currentPage = page;
    store.change({ place: name });
    draw({ problems: [] });
    document.getElementById("questions")?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }

  async function next(): Promise<void> {
    const page = model.currentPage as PageModel;
    noteAll(page.name);
    if (!page.validate(true)) return showProblems(problemsOn(model));
    if (!model.isLastPage) {
      const following = model.visiblePages[model.currentPageNo + 1]!.name;
      await save(page.name, false);
      pages.enter(following);
      show(following);
    } else {
      draw({ problems: [], isSending: true });
      await save(page.name, true);
    }
  }

  async function previous(): Promise<void> {
    const before = model.visiblePages[model.currentPageNo - 1];
    if (!before || pages.leave()) return;
    await leave();
    show(before.name);
  }

  /** Saves what is valid of a page that is left backwards; the rest stays in the draft. */
  const leave = (): Promise<void> => save((model.currentPage as PageModel).name, false, true);

  function noteAll(pageName: string): void {
    for (const { key } of way.questionsOf(pageName)) way.note(key);
    way.follow();
  }

  async function save(pageName: string, complete: boolean, onlyValid = false): Promise<void> {
    const changed = way.questionsOf(pageName).filter(({ key, stored: question }) => {
      const value = way.answers.get(key);
      if (isSameJson(value ?? null, stored.get(key) ?? null)) return false;
      return !onlyValid || value === undefined || faultsOf(question, value).length === 0;
    });
    const responses = changed.map(({ key }) => ({ elementId: key, value: way.answers.get(key) ?? null }));
    for (const { elementId, value } of responses) {
      stored.set(elementId, value);
      delete draft[elementId];
    }
    store.change({ draft });
    do {
      const part = responses.splice(0, mostAnswers);
      const metadata = { complete: complete && responses.length === 0 };
      await saver.save({ responses: part, pageId: pageName, metadata });
    } while (responses.length > 0);
  }

  function onStored({ body }: Save, respondentStatus: string): void {
    const isCompleted = respondentStatus === "completed";
    tellTabs({ answers: Object.fromEntries(body.responses.map((each) => [each.elementId, each.value])), isCompleted });
    if (isCompleted) over(run.onDone);
    else if (body.metadata.complete) showMissing();
  }

  /** The server waits for answers that this page holds for given: shows the first. */
  function showMissing(): void {
    draw({ isSending: false });
    const missing = missingRequired(way.stored, way.answers).next().value;
    const place = missing && way.placed.get(missing.key);
    if (!place) return;
    show(place.pageName);
    model.currentPage.validate(true);
    showProblems(problemsOn(model));
  }

  function onRefused({ body }: Save, refusal: Refusal): void {
    for (const { elementId } of body.responses) stored.delete(elementId);
    const pageName = showRefused(model, way, body, refusal, [words, language]);
    if (pageName) show(pageName);
    const problems = problemsOn(model);
    const unplaced = { name: "questions", title: "", text: words.invalid };
    showProblems(problems.length > 0 ? problems : [unplaced]);
  }

  function showProblems(problems: Problem[]): void {
    draw({ problems, isSending: false });
    document.getElementById(summaryId)?.focus();
  }

  function focusOn({ name }: Problem): void {
    const question = questionOf(model, name);
    if (question) question.focus(true);
    else document.getElementById("questions")?.focus();
  }

  /** Its answers were erased, or its session is of no use: nothing of it is sent again. */
  async function loseSession(): Promise<void> {
    for (const { seq } of await queue.all()) await queue.remove(seq);
    store.clear();
    location.reload();
  }

  function hear({ answers, isCompleted }: Stored): void {
    if (ended.aborted) return;
    if (isCompleted) return over(run.onDone);
    const theirs = new Map(Object.entries(answers).filter(([key]) => !Object.hasOwn(draft, key)));
    for (const [key, value] of theirs) stored.set(key, value);
    putAnswers(model, way, theirs);
    for (const key of theirs.keys()) delete draft[key];
    draw();
  }

  model.onValueChanged.add((_, { name, question }) => {
    const key = keyOfName(name);
    if (!way.placed.has(key)) return;
    question?.clearErrors();
    draft[key] = way.answers.get(key) ?? null;
    store.change({ draft });
    draw();
  });
  if (link.survey.settings.navigation.autoAdvance) autoAdvance({ root, ended }, model, way, () => void next());

  open();
  void saver.flush();

  function open(): void {
    const names = model.visiblePages.map(({ name }) => name);
    const lastIndex = names.findIndex((name) => name === run.lastPage);
    const place = [pages.page(), store.read().place, names[lastIndex + 1]].find((name) => name && names.includes(name));
    model.currentPage = model.getPageByName(place ?? names[0]!);
    pages.begin(model.currentPage.name);
    draw();
  }
}
