import { checkShape, type Violation, joinPath, unknownFields } from "@canvass/inputs";
import { isJsonObject, isSameJson, type JsonObject, ownValue } from "@canvass/values";
import { Type } from "typebox";
import { questionTypeOf } from "./catalogue.ts";
import { conditionInput, logicInput } from "./conditions/condition-input.ts";
import { checkLogic, mergeLogic } from "./conditions/logic-fields.ts";
import { constraintNumber } from "./constraint-numbers.ts";
import { withDefaultIds } from "./default-value.ts";
import type { Question } from "./definition.ts";
import { entryMarks } from "./entry-marks.ts";
import { elementNameOrNull, nameViolations, readName } from "./element-names.ts";
import { mergeEntryConditions } from "./conditional-entries.ts";
import type { Condition } from "./conditions/condition.ts";
import { withLogic } from "./element-logic.ts";
import { type ListContext, listSchema } from "./list-input.ts";
import { listNames } from "./list-names.ts";
import { helpText, questionText } from "./new-questions.ts";
import { checkRequired, readContent, readValidation, separateLists } from "./question-content.ts";
import type { QuestionType } from "./question-type.ts";
import { violationsInRequest } from "./settings-violations.ts";

export type ElementSettingsResult = { question: Question } | { violations: Violation[] };

const anyObject = Type.Record(Type.String(), Type.Unknown());

const ownList = Type.Optional(
  Type.Unsafe<unknown[]>({
    ...listSchema(
      { max: 1_000, images: true, fields: true, marks: entryMarks, options: { max: 100 }, showIf: true },
      true,
    ),
    "x-judged-by": "question",
  }),
);

/** The body of `PUT /elements/{id}/settings` (contract 6.8), for API documents. `applyElementSettings` validates. */
export const elementSettingsSchema = Type.Object(
  {
    settings: Type.Object(
      {
        typeSettings: Type.Optional(anyObject),
        responseValidation: Type.Optional(anyObject),
        choices: ownList,
        rows: ownList,
        columns: ownList,
      },
      { additionalProperties: false, title: "ElementSettingsInput" },
    ),
    questionText: Type.Optional(Type.Union([questionText, Type.Null()])),
    helpText: Type.Optional(helpText),
    name: Type.Optional(elementNameOrNull),
    ...logicInput,
  },
  { additionalProperties: false },
);

const settingsFields: readonly string[] = ["typeSettings", "responseValidation", ...listNames];

/**
 * Returns the edited question, or every violation. A given object or list replaces the old one, with defaults for missing
 * keys; an absent one stays (contract 6.8).
 */
export function applyElementSettings(question: Question, body: unknown, context: ListContext): ElementSettingsResult {
  const violations: Violation[] = [];
  if (!isJsonObject(body)) return { violations: [{ path: "", message: "must be an object" }] };
  const type = questionTypeOf(question);
  const wording = readWording(question, body, violations);
  const { name: _, ...unnamed } = question;
  const name = readGivenName(question, body, context, violations);
  checkLogic(conditionInput, body, "", violations, constraintNumber);
  const settings = readSettings(body, violations);
  const given = objectField(settings, "typeSettings", violations);
  const parts = separateLists(
    settings,
    "settings",
    given ?? question.typeSettings,
    "settings.typeSettings",
    violations,
  );
  const ofContent: Violation[] = [];
  const conditions = new Map<string, Condition | null>();
  const from = Object.hasOwn(body, "choicesFrom") ? body["choicesFrom"] : question.logic?.choicesFrom;
  const ofList = { ...context, conditions, carries: isJsonObject(from) };
  const content = readContent(type, parts, question, ofList, ofContent);
  const sentList = listNames.find((name) => parts.lists[name]);
  violations.push(
    ...violationsInRequest(ofContent, sentList ? `settings.${sentList}` : "settings", (path) =>
      given || !path.startsWith("settings.typeSettings.") ? path : undefined,
    ),
  );
  const validation = readResponseValidation(question, type, settings, violations);
  // Invalid settings make no text.
  const fixed = ofContent.length > 0 ? undefined : type.fixedText?.(content.typeSettings);
  if (fixed !== undefined && wording.text !== fixed && wording.text !== question.text) {
    violations.push({ path: "questionText", message: "is made of settings.typeSettings.subject; leave it out" });
  }
  if (violations.length > 0) return { violations };
  const text = fixed ?? wording.text;
  const named = name === undefined ? unnamed : { ...question, name };
  const { choices: _own, ...others } = named;
  const kept = ofList.carries ? others : named;
  const edited = { ...kept, ...content, ...wording, text, responseValidation: validation };
  const logic = { ...mergeLogic(body, question.logic), entries: mergeEntryConditions(edited, conditions) };
  const isSame = isSameJson(logic, { ...question.logic, entries: question.logic?.entries ?? {} });
  return { question: isSame ? edited : withDefaultIds(withLogic(edited, logic)) };
}

function readSettings(body: JsonObject, violations: Violation[]): JsonObject {
  const settings = ownValue(body, "settings");
  if (settings === undefined) violations.push({ path: "settings", message: "is required" });
  else if (!isJsonObject(settings)) violations.push({ path: "settings", message: "must be an object" });
  if (!isJsonObject(settings)) return {};
  violations.push(...unknownFields(Object.keys(settings), settingsFields, "settings"));
  return settings;
}

function objectField(settings: JsonObject, name: string, violations: Violation[]): JsonObject | undefined {
  const value = ownValue(settings, name);
  if (value === undefined || isJsonObject(value)) return value;
  violations.push({ path: joinPath("settings", name), message: "must be an object" });
  return undefined;
}

function readResponseValidation(question: Question, type: QuestionType, settings: JsonObject, violations: Violation[]) {
  const given = ownValue(settings, "responseValidation");
  if (given === undefined) return question.responseValidation;
  const validation = readValidation(given, "settings.responseValidation", violations);
  checkRequired(type, validation.required, "settings.responseValidation.required", violations);
  return validation;
}

/** An absent name stays, null removes it. */
function readGivenName(question: Question, body: JsonObject, { takenNames }: ListContext, violations: Violation[]) {
  if (!Object.hasOwn(body, "name")) return question.name;
  checkShape(elementSettingsSchema.properties.name, body["name"], "name", violations);
  const name = readName(body["name"]);
  violations.push(...nameViolations([{ path: "", name }], takenNames));
  return name;
}

function readWording(question: Question, body: JsonObject, violations: Violation[]) {
  const { properties } = elementSettingsSchema;
  const known = Object.keys(properties);
  violations.push(...unknownFields(Object.keys(body), known));
  for (const key of ["questionText", "helpText", "choicesFrom"] as const) {
    if (Object.hasOwn(body, key)) checkShape(properties[key], body[key], key, violations);
  }
  const text = Object.hasOwn(body, "questionText") ? (body["questionText"] as string | null) : question.text;
  const help = Object.hasOwn(body, "helpText") ? (body["helpText"] as string | null) : question.helpText;
  return { text, helpText: help };
}
