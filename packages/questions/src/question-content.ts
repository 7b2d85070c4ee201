import { checkShape, type Violation, violationsBelow, joinPath } from "@canvass/inputs";
import { isJsonObject, type JsonObject, ownValue } from "@canvass/values";
import { Type, type Static, type TObject } from "typebox";
import type { Question } from "./definition.ts";
import { defaultList, type ListContext, readList } from "./list-input.ts";
import { listNames } from "./list-names.ts";
import type { QuestionLists, QuestionType } from "./question-type.ts";
import { settingsObject, withDefaults } from "./type-settings.ts";
import { cellViolations } from "./weight.ts";

export const validationSchema = settingsObject({ required: Type.Boolean({ default: false }) });

/** The input for one question, with paths for violations. Absent parts are undefined. */
export type ContentInput = {
  path: string;
  typeSettings: JsonObject;
  settingsPath: string;
  lists: Partial<Record<(typeof listNames)[number], { input: unknown; path: string }>>;
};

export type Content = QuestionLists & { typeSettings: Record<string, unknown> };

/** Callers may give a list in `fields` or in `typeSettings`. A list in both is a violation. */
export function separateLists(
  fields: JsonObject,
  path: string,
  typeSettings: JsonObject,
  settingsPath: string,
  violations: Violation[],
): ContentInput {
  const lists: ContentInput["lists"] = {};
  const rest = { ...typeSettings };
  for (const name of listNames) {
    const [outer, inner] = [ownValue(fields, name), ownValue(typeSettings, name)];
    if (outer !== undefined) lists[name] = { input: outer, path: joinPath(path, name) };
    if (inner !== undefined && outer !== undefined) {
      violations.push({ path: joinPath(settingsPath, name), message: "is given twice" });
    } else if (inner !== undefined) lists[name] = { input: inner, path: joinPath(settingsPath, name) };
    delete rest[name];
  }
  return { path, typeSettings: rest, settingsPath, lists };
}

/** Absent settings get defaults; absent lists stay or get two entries. `previous` is null for a new question. */
export function readContent(
  type: QuestionType,
  input: ContentInput,
  previous: Question | null,
  context: ListContext,
  violations: Violation[],
): Content {
  const before = violations.length;
  const lists = readLists(type, input.lists, previous, context, violations);
  violations.push(...cellViolations(type, lists, input.lists.rows?.path ?? input.lists.columns?.path ?? input.path));
  const typeSettings = withDefaults(type.settings, input.typeSettings) as Static<TObject>;
  const settingsBefore = violations.length;
  checkShape(type.settings, typeSettings, input.settingsPath, violations);
  const old = previous ? (withDefaults(type.settings, previous.typeSettings) as Static<TObject>) : null;
  // Check rules between settings only if each setting is valid.
  if (violations.length === settingsBefore) {
    const more = type.checkSettings?.(typeSettings, lists, old) ?? [];
    violations.push(...violationsBelow(input.settingsPath, more));
  }
  if (violations.length > before) return { typeSettings, ...lists };
  return { typeSettings: type.completeSettings?.(typeSettings, old, context.newId) ?? typeSettings, ...lists };
}

function readLists(
  type: QuestionType,
  given: ContentInput["lists"],
  previous: Question | null,
  context: ListContext,
  violations: Violation[],
): QuestionLists {
  const lists: QuestionLists = {};
  for (const name of listNames) {
    const rule = type.lists[name];
    const list = given[name];
    if (list && !rule) violations.push({ path: list.path, message: `is not supported by ${type.typeName}` });
    if (!rule) continue;
    if (name === "choices" && context.carries) {
      if (list) violations.push({ path: list.path, message: "cannot be combined with choicesFrom" });
      continue;
    }
    const old = previous ? (previous[name] ?? []) : undefined;
    if (list) lists[name] = readList(rule, list.input, list.path, old, context, violations);
    else lists[name] = previous?.[name] ?? defaultList(name, rule, context.newId);
  }
  return lists;
}

export function readValidation(input: unknown, path: string, violations: Violation[]): Static<typeof validationSchema> {
  const complete = withDefaults(validationSchema, input);
  checkShape(validationSchema, complete, path, violations);
  return isJsonObject(complete) ? (complete as Static<typeof validationSchema>) : { required: false };
}

export function checkRequired(type: QuestionType, required: unknown, path: string, violations: Violation[]): void {
  if (required === true && !type.answerable) violations.push({ path, message: `is not supported by ${type.typeName}` });
}
