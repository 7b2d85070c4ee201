import { mostViolations } from "./most-violations.ts";
import { Type } from "typebox";
import { findQuestionType, typeNames } from "./catalogue.ts";
import { mergeEntryConditions } from "./conditional-entries.ts";
import type { Condition } from "./conditions/condition.ts";
import { conditionResolver, resolveConditions } from "./conditions/named-conditions.ts";
import type { Question, SurveyDefinition } from "./definition.ts";
import { conditionInput, logicInput } from "./conditions/condition-input.ts";
import { checkLogic, mergeLogic } from "./conditions/logic-fields.ts";
import { constraintNumber } from "./constraint-numbers.ts";
import { withDefaultIds } from "./default-value.ts";
import { withLogic, withConstraintNumbers } from "./element-logic.ts";
import { elementNameOrNull, nameViolations, readName } from "./element-names.ts";
import { checkShape, type Violation, joinPath, unknownFields } from "@canvass/inputs";
import { isJsonObject, type JsonObject, ownValue } from "@canvass/values";
import { finish } from "./finish.ts";
import { listNames } from "./list-names.ts";
import { checkRequired, readContent, readValidation, separateLists } from "./question-content.ts";
import { mapTemplates } from "./piping/piped-texts.ts";
import { nameResolver } from "./piping/resolve-names.ts";
import type { QuestionType } from "./question-type.ts";

/** A question created by `POST /surveys/{id}/questions`; a `pageTitle` starts a new page. */
export type NewQuestion = { question: Question; pageTitle: string | null };

export type NewQuestionsResult = { questions: NewQuestion[] } | { violations: Violation[] };

/** Validates questions together. An invalid question has only its lists, or is null. */
export type ValidateTogether = (questions: readonly (NewQuestion | null)[]) => Generator<void, readonly Violation[]>;

export const mostQuestions = 1_000;
const optionalText = Type.Union([Type.String({ maxLength: 4_000 }), Type.Null()]);

export const questionText = Type.String({
  minLength: 1,
  maxLength: 4_000,
  pattern: "\\S",
  description: "text of 1 to 4000 characters",
});
export const helpText = optionalText;

export const pageTitle = Type.Union([
  Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", description: "text of 1 to 200 characters" }),
  Type.Null(),
]);

const fieldSchemas = {
  name: elementNameOrNull,
  text: questionText,
  helpText,
  required: Type.Boolean(),
  pageTitle,
  ...logicInput,
};
const shorthandFields = ["multipleAnswers", "subject", "textFormat"] as const;

const inputFields = [
  "type",
  ...Object.keys(fieldSchemas),
  ...listNames,
  ...shorthandFields,
  "typeSettings",
  "responseValidation",
];

/**
 * Returns complete questions, or every violation (contract 6.6). The caller validates their logic, the pages, and the
 * number of questions that the plan allows.
 */
export function buildQuestions(input: unknown, newId: () => string, path = "questions"): NewQuestionsResult {
  return finish(buildingQuestions(input, newId, path));
}

/**
 * Like `buildQuestions`, but yields after each question, because there may be a thousand. `takenNames` holds the name
 * keys of the survey's other elements, `draft` the elements and fields that texts and conditions may name.
 */
export function* buildingQuestions(
  input: unknown,
  newId: () => string,
  path = "questions",
  validators: readonly ValidateTogether[] = [],
  takenNames?: ReadonlySet<string>,
  draft: Pick<SurveyDefinition, "pages" | "fields"> = { pages: [] },
): Generator<void, NewQuestionsResult> {
  if (input === undefined) return { violations: [{ path, message: "is required" }] };
  if (!Array.isArray(input)) return { violations: [{ path, message: "must be a list of questions" }] };
  if (input.length === 0) return { violations: [{ path, message: "must have at least 1 item" }] };
  if (input.length > mostQuestions)
    return { violations: [{ path, message: `must have at most ${mostQuestions} items` }] };
  const violations: Violation[] = [];
  const built: (NewQuestion | null)[] = [];
  for (const [index, item] of input.entries()) {
    const before = violations.length;
    const question = buildQuestion(item, joinPath(path, index), newId, violations);
    built.push(question && violations.length > before ? onlyLists(question) : question);
    if (violations.length >= mostViolations)
      return { violations: [notValidated(path, index + 1, input.length), ...violations] };
    yield;
  }
  const named = built.map((each, index) => ({ path: joinPath(path, index), name: each?.question.name }));
  violations.push(...nameViolations(named, takenNames));
  const questions = withResolvedNames(built, draft);
  for (const validateTogether of validators) violations.push(...(yield* validateTogether(questions)));
  return violations.length > 0 ? { violations } : { questions: questions.filter((question) => question !== null) };
}

/** Texts and conditions may refer to elements of the draft, and to those that are added with them. */
function withResolvedNames(
  built: readonly (NewQuestion | null)[],
  { pages, fields }: Pick<SurveyDefinition, "pages" | "fields">,
): (NewQuestion | null)[] {
  const elements = built.flatMap((each) => each?.question ?? []);
  const added = { pageId: "", title: null, loop: null, skipLogic: [], elements };
  const named = { pages: [...pages, added], ...(fields && { fields }) };
  const [resolve, resolveCondition] = [nameResolver(named), conditionResolver(named)];
  return built.map(
    (each) =>
      each && {
        question: withConstraintNumbers(mapTemplates(resolveConditions(each.question, resolveCondition), resolve)),
        pageTitle: each.pageTitle && resolve(each.pageTitle),
      },
  );
}

function onlyLists(built: NewQuestion): NewQuestion {
  const { logic: _, ...question } = built.question;
  const sure = { text: null, helpText: null, typeSettings: {}, responseValidation: { required: false } };
  return { question: { ...question, ...sure }, pageTitle: null };
}

function notValidated(path: string, evaluated: number, given: number): Violation {
  return { path, message: `have too many faults; the first ${evaluated} of ${given} are judged` };
}

function buildQuestion(input: unknown, path: string, newId: () => string, violations: Violation[]): NewQuestion | null {
  if (!isJsonObject(input)) {
    violations.push({ path, message: "must be an object" });
    return null;
  }
  checkCommonFields(input, path, violations);
  const type = findQuestionType(ownValue(input, "type"));
  if (!type) {
    const given = Object.hasOwn(input, "type");
    violations.push({
      path: joinPath(path, "type"),
      message: given ? `must be one of ${typeNames.join(", ")}` : "is required",
    });
    return null;
  }
  const typeSettings = readTypeSettings(type, input, path, violations);
  const parts = separateLists(input, path, typeSettings, joinPath(path, "typeSettings"), violations);
  const before = violations.length;
  const conditions = new Map<string, Condition | null>();
  const carries = isJsonObject(ownValue(input, "choicesFrom"));
  const content = readContent(type, parts, null, { newId, isAnswered: () => false, conditions, carries }, violations);
  const isSound = violations.length === before;
  const required = readRequired(type, input, path, violations);
  // Any other value already has a violation.
  const given = typeof input["text"] === "string" ? input["text"] : "";
  // Invalid settings make no text.
  const text = (isSound && type.fixedText?.(content.typeSettings)) || given;
  const help = (ownValue(input, "helpText") ?? null) as string | null;
  const name = readName(ownValue(input, "name"));
  const question = {
    elementId: newId(),
    questionId: newId(),
    ...(name !== undefined && { name }),
    type: type.number,
    text,
    helpText: help,
    responseValidation: { required },
    ...content,
  };
  return {
    question: withDefaultIds(
      withLogic(question, { ...mergeLogic(input), entries: mergeEntryConditions(question, conditions) }),
    ),
    pageTitle: (ownValue(input, "pageTitle") ?? null) as string | null,
  };
}

function checkCommonFields(input: JsonObject, path: string, violations: Violation[]): void {
  if (!Object.hasOwn(input, "text")) violations.push({ path: joinPath(path, "text"), message: "is required" });
  for (const [name, schema] of Object.entries(fieldSchemas)) {
    if (Object.hasOwn(input, name)) checkShape(schema, input[name], joinPath(path, name), violations);
  }
  checkLogic(conditionInput, input, path, violations, constraintNumber);
  violations.push(...unknownFields(Object.keys(input), inputFields, path));
}

function readTypeSettings(type: QuestionType, input: JsonObject, path: string, violations: Violation[]): JsonObject {
  const given = Object.hasOwn(input, "typeSettings") ? input["typeSettings"] : {};
  const settings: JsonObject = isJsonObject(given) ? { ...given } : {};
  if (!isJsonObject(given)) violations.push({ path: joinPath(path, "typeSettings"), message: "must be an object" });
  for (const field of shorthandFields) {
    if (!Object.hasOwn(input, field)) continue;
    const fieldPath = joinPath(path, field);
    const key = type.shorthands[field];
    const schema = key === undefined ? undefined : type.settings.properties[key];
    if (key === undefined || !schema)
      violations.push({ path: fieldPath, message: `is not supported by ${type.typeName}` });
    else if (Object.hasOwn(settings, key))
      violations.push({ path: fieldPath, message: `is given twice, see typeSettings.${key}` });
    else readShorthand(schema, input[field], fieldPath, settings, key, violations);
  }
  return settings;
}

/** Omits an invalid shorthand from the settings, so that it is only reported at its own path. */
function readShorthand(
  schema: Parameters<typeof checkShape>[0],
  value: unknown,
  path: string,
  settings: JsonObject,
  key: string,
  violations: Violation[],
): void {
  const before = violations.length;
  checkShape(schema, value, path, violations);
  if (violations.length === before) settings[key] = value;
}

function readRequired(type: QuestionType, input: JsonObject, path: string, violations: Violation[]): boolean {
  const short = ownValue(input, "required");
  const validationPath = joinPath(path, "responseValidation");
  const given = Object.hasOwn(input, "responseValidation") ? input["responseValidation"] : {};
  const { required } = readValidation(given, validationPath, violations);
  if (short !== undefined && isJsonObject(given) && Object.hasOwn(given, "required")) {
    violations.push({ path: joinPath(path, "required"), message: "is given twice, see responseValidation.required" });
  }
  checkRequired(type, short ?? required, joinPath(path, "required"), violations);
  return short === true || required;
}
