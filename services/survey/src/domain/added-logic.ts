import type { Violation } from "@canvass/inputs";
import {
  conditionalLists,
  hasBraces,
  indexOf,
  pageTitleViolations,
  placedLogicViolations,
  readName,
  templatesOf,
  logicFields,
  type Page,
  type SurveyDefinition,
  type ValidateTogether,
} from "@canvass/questions";
import { isId, isJsonObject, type JsonObject } from "@canvass/values";
import { placeQuestions } from "./place-questions.ts";

/** Validates the logic and placeholders of added questions at their places in the draft. */
export function logicValidator({ pages, ...lists }: SurveyDefinition, pageId?: unknown): ValidateTogether {
  return function* (questions) {
    const paths = new Map(
      questions.flatMap((built, at) =>
        built && (built.question.logic || templatesOf(built.question).length > 0)
          ? [[built.question.elementId, `questions.${at}`] as const]
          : [],
      ),
    );
    const isTitled = questions.some((built) => hasBraces(built?.pageTitle ?? ""));
    if (paths.size === 0 && !isTitled) return [];
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
    const definition = { ...lists, pages: after };
    return [...(yield* placedLogicViolations(definition, paths)), ...titleViolations(definition, questions)];
  };
}

function titleViolations(definition: SurveyDefinition, questions: Parameters<ValidateTogether>[0]): Violation[] {
  return questions.flatMap((built, at) => {
    if (!built?.pageTitle) return [];
    const { elementId } = built.question;
    const index = definition.pages.findIndex(({ elements }) => elements.some((each) => each.elementId === elementId));
    const page = { ...definition.pages[index]!, title: built.pageTitle };
    const violations = pageTitleViolations(page, index, indexOf(definition));
    return violations.map(({ message }) => ({ path: `questions.${at}.pageTitle`, message }));
  });
}

const asking = /"(?:elementId|name|answerOf)":"([^"]*)"/g;

/**
 * Returns ids and names of the elements that the logic in an unchecked list of questions asks; undefined without logic
 * and placeholders.
 */
export function askedByAdded(questions: unknown): string[] | undefined {
  const logic = (Array.isArray(questions) ? (questions as unknown[]) : []).flatMap((question) =>
    isJsonObject(question)
      ? [...logicFields.flatMap((field) => question[field] ?? []), ...entryConditions(question)]
      : [],
  );
  if (logic.length === 0) return hasBraces(JSON.stringify(questions ?? null)) ? [] : undefined;
  return [...JSON.stringify(logic).matchAll(asking)]
    .map(([, id]) => id!)
    .filter((id) => isId(id) || readName(id) !== undefined);
}

/** Returns the conditions of entries; a list is a member of the question or of its `typeSettings`. */
function entryConditions(question: JsonObject): unknown[] {
  const settings = isJsonObject(question["typeSettings"]) ? question["typeSettings"] : {};
  const lists = conditionalLists.flatMap((list) => [question[list], settings[list]]);
  return lists.flatMap((list) =>
    (Array.isArray(list) ? (list as unknown[]) : []).flatMap((entry) =>
      isJsonObject(entry) ? (entry["showIf"] ?? []) : [],
    ),
  );
}
