import {
  answerKey,
  dependsOnAnswers,
  questionTypeOf,
  reachablePages,
  requiredKeys,
  shownDefinition,
  shownItems,
  type PublicDefinition,
  type PublicElement,
  type PublicPage,
  type Question,
  type SurveyDefinition,
} from "@canvass/questions";
import type { SurveyModel } from "survey-core";
import { mappedTypeOf } from "../mapping/mapped-types.ts";
import type { MappedType } from "../mapping/mapped-type.ts";
import { pageJson } from "../mapping/page-json.ts";
import { storedShape } from "../mapping/stored-shape.ts";
import type { Words } from "../words/words.ts";

export interface Placed {
  key: string;
  question: PublicElement;
  stored: Question;
  mapped: MappedType;
  /** Of the screen that shows it: a visited page, or one question of it. */
  pageName: string;
}

/**
 * Keeps what SurveyJS shows and requires equal to what the shared logic decides, and draws a page when it is first
 * reached, by question if `byQuestion`. What was typed into a hidden question stays.
 */
export function createPagePath(
  model: SurveyModel,
  definition: PublicDefinition,
  words: Words,
  seed: number,
  byQuestion: boolean,
) {
  const stored: SurveyDefinition = storedShape(definition);
  const { pages } = shownDefinition(definition, seed);
  const publicPages = new Map(pages.map((page) => [page.id, page]));
  const ranks = new Map<string, number>();
  /** The visit of each screen. */
  const visits = new Map<string, string>();
  const drawnVisits = new Set<string>();
  const placed = new Map<string, Placed>();
  const answers = new Map<string, unknown>();
  const hidden = new Set<string>();

  function draw(pageId: string, itemId: string | null): void {
    const page = publicPages.get(pageId)!;
    const source = page.loop && findElement(definition, page.loop.elementId);
    const offered = source ? itemsOf(page, source, seed) : [];
    const itemIndex = offered.findIndex(({ id }) => id === itemId);
    const json = pageJson(page, offered[itemIndex] ?? null, words);
    const rank = pages.indexOf(page) + (itemIndex + 1) / (offered.length + 2);
    drawnVisits.add(json.name);
    place(pageId, itemId, json.name);
    const screens =
      byQuestion && json.elements.length > 0
        ? json.elements.map((element) => ({ ...json, name: element.name, elements: [element] }))
        : [json];
    screens.forEach((screen, index) => {
      visits.set(screen.name, json.name);
      ranks.set(screen.name, rank + index / screens.length / (offered.length + 2));
      const before = model.pages.findIndex(({ name }) => ranks.get(name)! > ranks.get(screen.name)!);
      const drawn = model.createNewPage(screen.name);
      drawn.fromJSON(screen);
      model.addPage(drawn, before < 0 ? model.pages.length : before);
    });
  }

  function place(pageId: string, itemId: string | null, visit: string): void {
    const { elements } = stored.pages.find((page) => page.pageId === pageId)!;
    for (const question of publicPages.get(pageId)!.elements) {
      const mapped = mappedTypeOf(question);
      const key = answerKey(question.id, itemId);
      const own = elements.find(({ elementId }) => elementId === question.id)!;
      if (mapped) placed.set(key, { key, question, stored: own, mapped, pageName: byQuestion ? key : visit });
    }
  }

  const isFixed = !dependsOnAnswers(stored);

  function follow(): void {
    if (isFixed && model.pages.length > 0) return;
    const reached = new Set<string>();
    const shown = new Set<string>();
    for (const { page, itemId, shown: elements } of reachablePages(stored, answers)) {
      const name = answerKey(page.pageId, itemId);
      reached.add(name);
      for (const { question } of elements) shown.add(answerKey(question.elementId, itemId));
      if (!drawnVisits.has(name)) draw(page.pageId, itemId);
    }
    for (const page of model.pages) page.visible = reached.has(visits.get(page.name)!);
    if (hasLogic) followQuestions(shown, requiredKeys(stored, answers));
  }

  const hasLogic = stored.pages.some(({ elements }) => elements.some(({ logic }) => logic));

  function followQuestions(shown: ReadonlySet<string>, required: ReadonlySet<string>): void {
    for (const [key, { stored: question }] of placed) {
      const { showIf, requiredIf } = question.logic ?? {};
      const drawn = showIf || requiredIf ? (model.getQuestionByName(key) ?? model.getPanelByName(key)) : null;
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
    byQuestion,
    /** The visit (`pageId`, or `pageId:itemId`) that a screen belongs to. */
    visitOf: (pageName: string): string => visits.get(pageName)!,
    /** Copies an answer from SurveyJS, or removes it if undefined there. `follow` then updates the pages. */
    note(key: string): void {
      const { question, mapped } = placed.get(key)!;
      const value = mapped.toValue(model.data, key, question);
      if (value === undefined) answers.delete(key);
      else answers.set(key, value);
    },
    /** Questions of a page that are shown. */
    questionsOf: (pageName: string): Placed[] =>
      [...placed.values()].filter(
        (each) => each.pageName === pageName && questionTypeOf(each.stored).answerable && !hidden.has(each.key),
      ),
    /** How many elements of a page are hidden. */
    hiddenOn: (pageName: string): number => [...hidden].filter((key) => placed.get(key)!.pageName === pageName).length,
  };
}

export type PagePath = ReturnType<typeof createPagePath>;

const findElement = (definition: PublicDefinition, elementId: string) =>
  definition.pages.flatMap(({ elements }) => elements).find(({ id }) => id === elementId);

function itemsOf({ id, loop }: PublicPage, source: PublicElement, seed: number) {
  const [other] = otherOf(source);
  const items: { id: string; text: string; pinned?: boolean }[] = [
    ...(source.choices ?? []),
    ...(other ? [other] : []),
  ];
  return loop?.shuffle ? shownItems(id, items, other?.id ?? null, seed) : items;
}

function otherOf({ settings }: PublicElement): { id: string; text: string }[] {
  const other = settings["other"] as { label: string; choiceId: string | null } | undefined;
  return other?.choiceId ? [{ id: other.choiceId, text: other.label }] : [];
}
