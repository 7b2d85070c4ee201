import {
  placedLogicViolations,
  logicFields,
  type Page,
  type SurveyDefinition,
  type ValidateTogether,
} from "@canvass/questions";
import { isId, isJsonObject } from "@canvass/values";
import { placeQuestions } from "./place-questions.ts";

/** Validates the logic of added questions at their places in the draft. */
export function logicValidator({ pages, ...lists }: SurveyDefinition, pageId?: unknown): ValidateTogether {
  return function* (questions) {
    const paths = new Map(
      questions.flatMap((built, at) =>
        built?.question.logic ? [[built.question.elementId, `questions.${at}`] as const] : [],
      ),
    );
    if (paths.size === 0) return [];
    const counted = pages.map(({ elements, ...page }) => ({ ...page, questionCount: elements.length }));
    const titles = questions.map((built) => built?.pageTitle ?? null);
    let added = 0;
    const placed = placeQuestions(counted, pageId as string | undefined, titles, () => `new ${added++}`);
    const fresh = placed.newPages.map((page): Page => ({ ...page, loop: null, skipLogic: [], elements: [] }));
    const after = [...pages, ...fresh].map((page) => ({ ...page, elements: [...page.elements] }));
    const byId = new Map(after.map((page) => [page.pageId, page]));
    for (const [at, built] of questions.entries()) {
      if (built) byId.get(placed.placements[at]!.pageId)!.elements.push(built.question);
    }
    yield;
    return yield* placedLogicViolations({ ...lists, pages: after }, paths);
  };
}

const asking = /"(?:elementId|answerOf)":"([^"]*)"/g;

/** Returns the elements that the logic in an unchecked list of questions asks; undefined without logic. */
export function askedByAdded(questions: unknown): string[] | undefined {
  const logic = (Array.isArray(questions) ? (questions as unknown[]) : []).flatMap((question) =>
    isJsonObject(question) ? logicFields.flatMap((field) => question[field] ?? []) : [],
  );
  if (logic.length === 0) return undefined;
  return [...JSON.stringify(logic).matchAll(asking)].map(([, id]) => id!).filter(isId);
}
