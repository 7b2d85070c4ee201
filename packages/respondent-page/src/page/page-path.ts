import { isSameJson } from "@canvass/values";
import {
  answerKey,
  dependsOnAnswers,
  hiddenEntriesLookup,
  parseAnswerKey,
  pipedText,
  questionTypeOf,
  reachablePages,
  requiredKeys,
  shownDefinition,
  withCarriedChoices,
  type PipedRespondent,
  type PublicDefinition,
  type PublicElement,
  type PublicPage,
  type SurveyDefinition,
  type ValueOf,
} from "@canvass/questions";
import type { SurveyModel } from "survey-core";
import { showCarriedChoices } from "../mapping/carried-choices.ts";
import { mappedTypeOf } from "../mapping/mapped-types.ts";
import { pageJson, titleOf } from "../mapping/page-json.ts";
import { createPiping } from "../mapping/piping.ts";
import { storedShape } from "../mapping/stored-shape.ts";
import type { Words } from "../words/words.ts";
import { createDrawnScreens } from "./drawn-screens.ts";
import { loopItems } from "./loop-items.ts";
import { drawnOf, hasConditionalEntries, putAnswer, type Placed } from "./placed.ts";
import { drawEntries, drawTexts, shownValue, withHidden, withoutHidden } from "./show-entries.ts";

/**
 * Keeps what SurveyJS shows and requires equal to what the shared logic decides, and draws a page when it is first
 * reached, by question if `byQuestion`. What was typed into a hidden question stays.
 */
export function createPagePath(
  model: SurveyModel,
  definition: PublicDefinition,
  words: Words,
  seed: number,
  respondent: PipedRespondent,
  byQuestion: boolean,
) {
  const stored: SurveyDefinition = withCarriedChoices(storedShape(definition));
  const { pages } = shownDefinition(showCarriedChoices(definition, stored), seed);
  const publicElements = new Map(
    definition.pages.flatMap((page) => page.elements.map((element) => [element.id, element])),
  );
  const publicPages = new Map(pages.map((page) => [page.id, page]));
  const screens = createDrawnScreens(model, byQuestion);
  const placed = new Map<string, Placed>();
  const answers = Object.assign(new Map<string, unknown>(), { context: respondent });
  const hidden = new Set<string>();
  const piping = createPiping(stored, answers, respondent);

  function draw(pageId: string, itemId: string | null): void {
    const page = publicPages.get(pageId)!;
    const offered = offeredOn(page);
    const itemIndex = offered.findIndex(({ id }) => id === itemId);
    const visit = answerKey(pageId, itemId);
    place(pageId, itemId, visit);
    const elements = page.elements.map((each) => placed.get(answerKey(each.id, itemId))?.question ?? each);
    const json = pageJson({ ...piping.page(page, itemId), elements }, offered[itemIndex] ?? null, words);
    const room = 1 / (offered.length + 2);
    screens.draw(visit, json, pages.indexOf(page) + (itemIndex + 1) * room, room);
  }

  function offeredOn(page: PublicPage) {
    const source = page.loop && publicElements.get(page.loop.elementId);
    return source ? loopItems(page, placed.get(source.id)?.question ?? source, seed) : [];
  }

  function place(pageId: string, itemId: string | null, visit: string): void {
    const { elements } = stored.pages.find((page) => page.pageId === pageId)!;
    for (const question of publicPages.get(pageId)!.elements) {
      const mapped = mappedTypeOf(question);
      const key = answerKey(question.id, itemId);
      const own = elements.find(({ elementId }) => elementId === question.id)!;
      if (!mapped) continue;
      placed.set(key, {
        key,
        question: piping.question(question, own, pageId, itemId),
        source: question,
        hidden: new Set<string>(),
        stored: own,
        mapped,
        pageName: byQuestion ? key : visit,
        pageId,
        itemId,
      });
      drawnNow.push(key);
    }
  }

  const isFixed = !dependsOnAnswers(stored);
  const hasEntries = stored.pages.some(({ elements }) => elements.some(hasConditionalEntries));
  let [isFollowing, isHeld, hasChanged] = [false, false, false];
  const drawnNow: string[] = [];

  /** Retracted answers may change what is shown, too. */
  function follow(): void {
    hasChanged = true;
    if (isFollowing || isHeld) return;
    isFollowing = true;
    while (hasChanged) {
      hasChanged = false;
      followOnce();
    }
    isFollowing = false;
    answerDrawn();
  }

  /** Shows what was answered on pages that are drawn only now, such as those of a loop's item that came back. */
  function answerDrawn(): void {
    const answered = drawnNow.splice(0).filter((key) => answers.has(key));
    if (answered.length > 0)
      together(() => answered.forEach((key) => putAnswer(model, placed.get(key)!, answers.get(key))));
  }

  /** Gives several answers, and follows them all at once. */
  function together(give: () => void): void {
    isHeld = true;
    try {
      give();
    } finally {
      isHeld = false;
    }
    follow();
  }

  function followOnce(): void {
    piping.refresh();
    if (isFixed && model.pages.length > 0) return reword();
    const reached = new Set<string>();
    const shown = new Set<string>();
    for (const { page, itemId, shown: elements } of reachablePages(stored, answers)) {
      const name = answerKey(page.pageId, itemId);
      reached.add(name);
      for (const { question } of elements) shown.add(answerKey(question.elementId, itemId));
      if (!screens.isDrawn(name)) draw(page.pageId, itemId);
    }
    screens.showOnly(reached);
    reword();
    if (hasLogic) followQuestions(shown, requiredKeys(stored, answers));
    if (hasEntries) followEntries(shown);
  }

  function followEntries(shown: ReadonlySet<string>): void {
    const hiddenNow = hiddenEntriesLookup(stored, answers);
    for (const [key, before] of placed) {
      if (!hasConditionalEntries(before.stored) || !shown.has(key)) continue;
      const now = withHidden(before, hiddenNow(key), reworded(before));
      const value = answers.get(key);
      const left = shownValue(value, now);
      placed.set(key, now);
      if (now !== before) drawEntries(model, now, words);
      if (left !== value) {
        if (left === undefined) answers.delete(key);
        else answers.set(key, left);
        hasChanged = true;
      }
      if (now !== before || left !== value) putAnswer(model, now, left);
    }
  }

  const reworded = (place: Placed): PublicElement =>
    piping.question(place.source, place.stored, place.pageId, place.itemId);

  /** Writes changed answers into the texts that show them. */
  function reword(): void {
    if (!piping.isNeeded) return;
    for (const place of placed.values()) {
      const text = reworded(place);
      const shown = withoutHidden(text, place.hidden);
      if (text === place.source || isSameJson(shown, place.question)) continue;
      drawTexts(model, place, shown, words);
      place.question = shown;
    }
    for (const page of model.pages) {
      const { elementId: pageId, itemId } = parseAnswerKey(screens.visitOf(page.name));
      const source = publicPages.get(pageId)!;
      const shown = piping.page(source, itemId);
      if (shown !== source) page.title = titleOf(shown, offeredOn(source).find(({ id }) => id === itemId) ?? null);
    }
  }

  const hasLogic = stored.pages.some(({ elements }) => elements.some(({ logic }) => logic));

  function followQuestions(shown: ReadonlySet<string>, required: ReadonlySet<string>): void {
    for (const [key, { stored: question }] of placed) {
      const { showIf, requiredIf } = question.logic ?? {};
      const drawn = showIf || requiredIf || hasConditionalEntries(question) ? drawnOf(model, key) : null;
      if (!drawn) continue;
      drawn.visible = shown.has(key);
      if (shown.has(key)) hidden.delete(key);
      else hidden.add(key);
      drawn.isRequired = required.has(key);
    }
  }

  return {
    stored,
    answers,
    placed: placed as ReadonlyMap<string, Placed>,
    follow,
    together,
    /** Whether `together` is giving answers. */
    isHeld: () => isHeld,
    byQuestion,
    /** The visit (`pageId`, or `pageId:itemId`) that a screen belongs to. */
    visitOf: screens.visitOf,
    /** Copies an answer from SurveyJS, or removes it if undefined there. `follow` then updates the pages. */
    note(key: string): void {
      const { question, mapped } = placed.get(key)!;
      const value = mapped.toValue(model.data, key, question);
      if (value === undefined) answers.delete(key);
      else answers.set(key, value);
    },
    /** Fills in the placeholders of a text of the survey, or of a message about a question. */
    pipe: (text: string, place?: Placed): string =>
      pipedText(text, piping.valueOf(place?.pageId, place?.itemId ?? null)),
    /** Values of placeholders at the end. */
    valueOf: (): ValueOf => piping.valueOf(undefined, null),
    /** Questions of a page that are shown. */
    questionsOf: (pageName: string): Placed[] =>
      [...placed.values()].filter(
        (each) => each.pageName === pageName && questionTypeOf(each.stored).answerable && !hidden.has(each.key),
      ),
    /** How many elements of a page, and choices and rows of others, are hidden. */
    hiddenOn: (pageName: string): number =>
      [...placed.values()]
        .filter((each) => each.pageName === pageName)
        .reduce((sum, each) => sum + (hidden.has(each.key) ? 1 : each.hidden.size), 0),
  };
}

export type PagePath = ReturnType<typeof createPagePath>;
