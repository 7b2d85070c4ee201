import { brokenConstraints } from "@canvass/questions";
import { isSameJson } from "@canvass/values";
import { render } from "preact";
import type { PageModel } from "survey-core";
import { keyOfName } from "../mapping/mapped-type.ts";
import { ownOrderSeed } from "../saving/own-order-seed.ts";
import { startOver } from "../saving/start-over.ts";
import type { FullQuota, OwnState, Submitted } from "../saving/link-api.ts";
import type { Refusal } from "../saving/refusal.ts";
import { connectTabs, type Stored } from "../saving/connect-tabs.ts";
import type { Save } from "../saving/save-queue.ts";
import { createSaver } from "../saving/saver.ts";
import { splitAnswers } from "../saving/split-answers.ts";
import { watchRespondent } from "../saving/watch-respondent.ts";
import { answerRecord } from "./answer-record.ts";
import { autoAdvance } from "./auto-advance.ts";
import { scrollToBegin } from "./embedding.ts";
import { describeQuestions } from "./describe-questions.ts";
import { enterKey } from "./enter-key.ts";
import { focusFirst } from "./focus-first.ts";
import { ownAnswers } from "./own-answers.ts";
import { fillDefaults } from "./fill-defaults.ts";
import { createPageHistory, forgetPages } from "./page-history.ts";
import { restore } from "./restore.ts";
import { createProblemView } from "./problem-view.ts";
import { stoppedId } from "./stopped.tsx";
import { prefilledAnswers } from "./prefilled-answers.ts";
import { createSurvey } from "./survey-model.ts";
import type { SurveyRun } from "./survey-run.ts";
import { takeBack } from "./take-back.ts";
import { createUploads } from "./uploads.ts";
import { SurveyScreen, type SurveyScreenState } from "./survey-screen.tsx";

export function runSurvey(run: SurveyRun): void {
  const { root, ending, code, api, store, queue, link, definition, fields, words, language, wordsLanguage } = run;
  const record = answerRecord(store, run.stored);
  const seed = run.orderSeed ?? ownOrderSeed(link, code, store);
  const { model, path } = createSurvey(definition, record.all(), link.survey.settings, words, wordsLanguage, seed, {
    fields,
    language,
    firstName: link.contact?.firstName,
  });
  const prefilled = prefilledAnswers(path.stored, link.prefill, location.search);
  let state: SurveyScreenState = {
    saving: "idle",
    problems: [],
    isSending: run.isSending,
    stopped: "",
    isChangedElsewhere: false,
    change: "",
    position: 1,
    total: 1,
  };
  let isLeaving = false;
  let hidden = 0;
  /** Number of saves that the server accepted. */
  let taken = 0;
  const problemView = createProblemView({ model, path, words, language: wordsLanguage, draw, open: turnTo });
  const ended = ending.signal;
  const isReplaced = watchRespondent(store);

  const tellTabs = connectTabs(code, ended, hear);
  const saver = createSaver(
    { code, language, api, store, queue, seed, isReplaced, hasQueuedLastPage: run.isSending, ended },
    {
      onState: (saving) => draw({ saving }),
      onStored,
      onRefused,
      onFull: endFull,
      onClosed: (refusal) => void stop(refusal),
      onLost: (refusal) => void loseSession(refusal),
      onStarted: (begun) => {
        const isSameOrder = begun.orderSeed === null || begun.orderSeed === seed;
        const isSame = isSameJson(begun.fields, fields) && isSameJson(begun.definition, definition);
        if (!isSameOrder || !isSame) over(run.onReload);
      },
      onReplaced: () => over(run.onReload),
      onSentElsewhere: () => draw({ isSending: false }),
    },
  );
  api.onSavedElsewhere = () => void showChangedElsewhere();
  model.sendFile = createUploads(code, saver.session, ended);
  const pages = createPageHistory(ended, (page) => {
    if (state.isSending) pages.enter(model.currentPage.name);
    else void leave().then(() => show(page));
  });

  function draw(change: Partial<SurveyScreenState> = {}): void {
    if (ended.aborted) return;
    state = { ...state, ...change, position: model.currentPageNo + 1, total: model.visiblePageCount };
    model.readOnly = state.isSending;
    render(
      <SurveyScreen
        {...state}
        {...{ model, link, words, language }}
        isKept={queue.isKept() && store.isKept()}
        onNext={() => void next()}
        onPrevious={() => void previous()}
        onLanguage={(language) => over(() => run.onLanguage(language))}
        onProblem={(problem) => problemView.focusOn(problem)}
        onRetry={retry}
      />,
      root,
    );
  }

  function over(then: () => void): void {
    ending.abort();
    then();
  }

  function show(name: string): void {
    const page = model.getPageByName(name);
    if (!page?.isVisible || page === model.currentPage) return;
    model.currentPage = page;
    fillIn();
    store.change({ place: name });
    hidden = path.hiddenOn(name);
    draw({ problems: [], isChangedElsewhere: false, change: "" });
    const screen = document.getElementById("questions")!;
    screen.focus({ preventScroll: true });
    if (path.byQuestion) focusFirst(screen);
    scrollToBegin(root);
  }

  const fillIn = () => fillDefaults(model, path, store, prefilled, model.currentPage.name);

  /** Announces how an answer changed the other questions of its page. */
  function changeOf(nowHidden: number): string {
    const before = hidden;
    hidden = nowHidden;
    if (nowHidden === before) return state.change;
    return nowHidden < before ? words.appeared : words.disappeared;
  }

  /** Ignores presses while it runs. */
  async function next(): Promise<void> {
    const page = model.currentPage as PageModel;
    noteAll(page.name);
    if (isLeaving || state.isSending) return;
    if (!page.validate(true)) return problemView.show();
    if (page === model.visiblePages.at(-1) && problemView.showBroken()) return;
    isLeaving = true;
    await goOn(page).finally(() => (isLeaving = false));
  }

  async function goOn(page: PageModel): Promise<void> {
    const following = model.visiblePages[model.currentPageNo + 1]?.name;
    if (following === undefined) draw({ problems: [], isSending: true });
    await save(page.name, following === undefined);
    if (following === undefined) return;
    pages.enter(following);
    show(following);
  }

  async function previous(): Promise<void> {
    const before = model.visiblePages[model.currentPageNo - 1];
    if (!before || pages.leave()) return;
    await leave();
    turnTo(before.name);
  }

  /** Shows another page in the place of this one in the browser's history, so that a reload shows it again. */
  function turnTo(name: string): void {
    pages.begin(name);
    show(name);
  }

  /** Saves only valid answers when the respondent goes back. The others stay in the draft. */
  const leave = (): Promise<void> => save((model.currentPage as PageModel).name, false, true);

  function noteAll(pageName: string): void {
    for (const { key } of path.questionsOf(pageName)) path.note(key);
    path.follow();
  }

  async function save(pageName: string, complete: boolean, onlyValid = false): Promise<void> {
    const passed = model.visiblePages.slice(0, model.currentPageNo).map(({ name }) => name);
    const pageId = onlyValid && path.byQuestion ? null : leftVisit(pageName);
    if ((pageId === null || onlyValid) && isInconsistent()) return;
    const parts = splitAnswers(record.take(path, pageName, passed, onlyValid));
    for (const [i, responses] of parts.entries()) {
      if (pageId === null && responses.length === 0) continue;
      const metadata = { complete: complete && i === parts.length - 1, language };
      await saver.save({ responses, pageId, metadata });
      if (queue.isKept()) record.keep(responses);
    }
  }

  function endDone(text: string): void {
    over(() => run.onDone(path.valueOf(), text));
  }

  /** Ends as completed by another tab or device, which may lack answers given here. */
  async function endElsewhere(): Promise<void> {
    // While the last page is sent nothing is edited; what stays unsent then is of questions that are not shown.
    const isUnsent = (!state.isSending && record.hasUnsent()) || (await queue.all()).length > 0;
    if (!ended.aborted) endDone(isUnsent ? words.answered : words.thanks);
  }

  /** Null if the next screen asks another question of the same page. */
  function leftVisit(pageName: string): string | null {
    const visit = path.visitOf(pageName);
    const following = model.visiblePages[model.currentPageNo + 1]?.name;
    return following !== undefined && path.visitOf(following) === visit ? null : visit;
  }

  /** The server refuses answers that contradict a later one of their page. They wait until the page is left. */
  const isInconsistent = (): boolean => brokenConstraints(path.stored, path.answers).next().done !== true;

  function endFull(quota: FullQuota): void {
    over(() => run.onFull({ ...quota, message: quota.message && path.pipe(quota.message) }));
  }

  /** Answers that were not sent yet may lead out of the quota. */
  async function endUnlessWaiting(quota: FullQuota): Promise<void> {
    if ((await queue.all()).length === 0) endFull(quota);
  }

  function onStored({ body }: Save, { respondentStatus, quotaFull }: Submitted): void {
    const isCompleted = respondentStatus === "completed";
    taken += 1;
    record.keep(body.responses);
    if (state.stopped) draw({ stopped: "" });
    const answers = Object.fromEntries(body.responses.map((each) => [each.elementId, each.value]));
    tellTabs({ respondentId: store.read().session?.respondentId, answers, isCompleted });
    // Another tab may have queued the last page.
    if (isCompleted) void (state.isSending ? endDone(words.thanks) : endElsewhere());
    else if (quotaFull) void endUnlessWaiting(quotaFull);
    else if (body.metadata.complete) problemView.showMissing();
  }

  function onRefused({ body }: Save, refusal: Refusal): void {
    record.refuse(body.responses);
    problemView.showRefused(body, refusal);
    // Another device may have sent the last page.
    void showChangedElsewhere();
  }

  /** Tells the respondent why saving stopped. Typed answers stay on the screen and unsent ones in the queue. */
  async function stop(refusal: Refusal): Promise<void> {
    const wasStopped = state.stopped !== "";
    const takenBefore = taken;
    const why = await run.whyClosed(refusal);
    // A save may have succeeded in the meantime.
    if (taken !== takenBefore) return;
    draw({ stopped: why });
    if (!wasStopped) document.getElementById(stoppedId)?.focus();
  }

  function retry(): void {
    draw({ stopped: "" });
    void saver.flush();
  }

  /** Starts a new respondent, with all answers, or after an erasure (404) with unsent answers only. */
  async function loseSession({ status }: Refusal): Promise<void> {
    // Else another tab did so before.
    if (!isReplaced()) await startOver(store, queue, status === 404 ? {} : Object.fromEntries(record.all()));
    over(() => void forgetPages().then(run.onReload));
  }

  function hear({ respondentId, answers, isCompleted }: Stored): void {
    if (ended.aborted) return;
    if (isReplaced()) return over(run.onReload);
    // A tab that was frozen hears late of a former respondent.
    if (respondentId && respondentId !== store.read().session?.respondentId) return;
    if (isCompleted) return void endElsewhere();
    record.merge(answers, (theirs) => restore(model, path, theirs));
    fillIn();
    draw();
  }

  /** Reads the respondent's state from the server. Ends the survey if it is completed. */
  async function readAgain(): Promise<OwnState | undefined> {
    const { session } = store.read();
    const own = session && (await api.readOwn(session, language).catch(() => undefined));
    if (ended.aborted) return undefined;
    if (own?.status !== "completed") return own;
    await endElsewhere();
    return undefined;
  }

  /** Shows answers that another device stored, with a notice. Answers edited here since keep their value. */
  async function showChangedElsewhere(): Promise<void> {
    const own = await readAgain();
    const answers = own && ownAnswers(own, await queue.all());
    if (!answers || ended.aborted) return;
    // If this device has saved again in the meantime, read again.
    if (own.seenAt !== store.read().seenAt) return showChangedElsewhere();
    const theirs = record.missed(answers);
    if (Object.keys(theirs).length === 0) return;
    record.merge(theirs, (missed) => restore(model, path, missed));
    fillIn();
    draw({ isChangedElsewhere: true });
  }

  model.onValueChanged.add((_, { name, question }) => {
    const key = keyOfName(name);
    if (!path.placed.has(key)) return;
    question?.clearErrors();
    record.edit(key, path.answers.get(key));
    if (path.isHeld()) return;
    fillIn();
    draw({ change: changeOf(path.hiddenOn(model.currentPage.name)) });
  });
  enterKey(root, ended, {
    byQuestion: path.byQuestion,
    isOne: () => path.questionsOf(model.currentPage.name).length === 1,
  });
  describeQuestions({ root, ended }, model, words);
  takeBack({ root, ended }, model, path, words);
  if (link.survey.settings.navigation.autoAdvance) autoAdvance({ root, ended }, model, path, () => void next());

  open();
  void saver.flush();

  function open(): void {
    const names = model.visiblePages.map(({ name }) => name);
    const { place: kept } = store.read();
    // A browser that keeps nothing still knows the page of its history, without the answers of those before it.
    const place = [kept && pages.page(), kept, reached(names)].find((name) => name && names.includes(name));
    model.currentPage = model.getPageByName(place ?? names[0]!);
    pages.begin(model.currentPage.name);
    fillIn();
    hidden = path.hiddenOn(model.currentPage.name);
    draw();
  }

  /** The first screen that the respondent has not left, on any device. */
  function reached(names: readonly string[]): string | undefined {
    const isAnswered = (name: string) =>
      path.questionsOf(name).some(({ key }) => (run.stored.get(key) ?? null) !== null);
    const isLeft = (name: string) => path.visitOf(name) === run.lastPage || (path.byQuestion && isAnswered(name));
    return names[names.map(isLeft).lastIndexOf(true) + 1] ?? names.at(-1);
  }
}
