import type { Plan } from "@canvass/access";
import { shapeViolations, validationFailed, type Violation } from "@canvass/inputs";
import { isJsonObject, ownValue } from "@canvass/values";
import {
  addQuestionsBody,
  buildingQuestions,
  mostQuestions,
  readName,
  type SurveyDefinition,
  type ValidateTogether,
  type NewQuestion,
  type NewQuestionsResult,
} from "@canvass/questions";
import { logicValidator } from "./added-logic.ts";
import { weightValidator, type WeighedPage } from "./draft-weight.ts";
import { pageViolations, placeQuestions, type Placed } from "./place-questions.ts";
import { requireQuestionQuota } from "./plan-rules.ts";

export interface AddedQuestions extends Placed {
  questions: NewQuestion[];
}

/**
 * Validates the body of `POST /surveys/{id}/questions` against the draft's pages, names and outline (contract 6.6,
 * 6.16).
 */
export function* readAddedQuestions(
  body: Record<string, unknown>,
  pages: readonly WeighedPage[],
  plan: Plan,
  newId: () => string,
  takenNames: ReadonlySet<string>,
  draft: SurveyDefinition,
): Generator<void, AddedQuestions> {
  const pageId = ownValue(body, "pageId");
  const violations = [
    ...shapeViolations(addQuestionsBody, body),
    ...pageViolations(pages, pageId, titlesOf(body["questions"])),
  ];
  const validators = [weightValidator(pages, pageId), logicValidator(draft, pageId)];
  const built = yield* readQuestions(body, newId, validators, takenNames, draft);
  if ("violations" in built) throw validationFailed([...violations, ...built.violations]);
  if (violations.length > 0) throw validationFailed(violations);
  const held = pages.reduce((sum, { questionCount }) => sum + questionCount, 0);
  requireQuestionQuota(held + built.questions.length, plan);
  const titles = built.questions.map(({ pageTitle }) => pageTitle);
  return { ...placeQuestions(pages, pageId as string | undefined, titles, newId), questions: built.questions };
}

export function* addedShapeViolations(body: Record<string, unknown>): Generator<void, Violation[]> {
  const built = yield* readQuestions(body, () => "");
  return [...shapeViolations(addQuestionsBody, body), ...("violations" in built ? built.violations : [])];
}

/** A missing list is no violation here: `addQuestionsBody` reports it. */
function* readQuestions(
  body: Record<string, unknown>,
  newId: () => string,
  validators: readonly ValidateTogether[] = [],
  takenNames?: ReadonlySet<string>,
  draft?: SurveyDefinition,
): Generator<void, NewQuestionsResult> {
  const input = ownValue(body, "questions");
  return input === undefined
    ? { violations: [] }
    : yield* buildingQuestions(input, newId, "questions", validators, takenNames, draft);
}

/** Returns the valid names of questions in an unchecked body. */
export function namesIn(body: Record<string, unknown>): string[] {
  const input = ownValue(body, "questions");
  const questions: unknown[] = Array.isArray(input) ? input.slice(0, mostQuestions) : [];
  return questions.flatMap((question) => (isJsonObject(question) && readName(ownValue(question, "name"))) || []);
}

/** Reads the titles from the unchecked body, so that misplaced ones are reported together with all other violations. */
function titlesOf(input: unknown): (string | null)[] {
  if (!Array.isArray(input)) return [];
  return input.map((question: unknown) => {
    const title = isJsonObject(question) ? ownValue(question, "pageTitle") : null;
    return typeof title === "string" ? title : null;
  });
}
