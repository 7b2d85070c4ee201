import { checkShape, type Fault, faultsBelow, joinPath } from "@canvass/inputs";
import { isJsonObject, type JsonObject, ownValue } from "@canvass/values";
import { Type, type Static, type TObject } from "typebox";
import type { Question } from "./definition.ts";
import { defaultList, type ListContext, listNames, readList } from "./list-input.ts";
import type { QuestionLists, QuestionType } from "./question-type.ts";
import { settingsObject, withDefaults } from "./type-settings.ts";
import { cellFaults } from "./weight.ts";

/** Validation rules of every type; limits of the value belong to the type's settings. */
export const validationSchema = settingsObject({ required: Type.Boolean({ default: false }) });

/** A caller's input for one question, with paths; parts left out are undefined. */
export type ContentInput = {
  path: string;
  typeSettings: JsonObject;
  settingsPath: string;
  lists: Partial<Record<(typeof listNames)[number], { input: unknown; path: string }>>;
};

export type Content = QuestionLists & { typeSettings: Record<string, unknown> };

/**
 * Takes lists from the question's fields and from `typeSettings`, where callers may also put them. A list given in both
 * is a fault.
 */
export function separateLists(
  fields: JsonObject,
  path: string,
  typeSettings: JsonObject,
  settingsPath: string,
  faults: Fault[],
): ContentInput {
  const lists: ContentInput["lists"] = {};
  const rest = { ...typeSettings };
  for (const name of listNames) {
    const [outer, inner] = [ownValue(fields, name), ownValue(typeSettings, name)];
    if (outer !== undefined) lists[name] = { input: outer, path: joinPath(path, name) };
    if (inner !== undefined && outer !== undefined) {
      faults.push({ path: joinPath(settingsPath, name), message: "is given twice" });
    } else if (inner !== undefined) lists[name] = { input: inner, path: joinPath(settingsPath, name) };
    delete rest[name];
  }
  return { path, typeSettings: rest, settingsPath, lists };
}

/**
 * Validates and completes a question's settings and lists. `previous` is the question being edited, null for a new one.
 * Settings left out get their defaults in both cases; lists left out stay, or get two default entries. Adds faults.
 */
export function readContent(
  type: QuestionType,
  input: ContentInput,
  previous: Question | null,
  context: ListContext,
  faults: Fault[],
): Content {
  const before = faults.length;
  const lists = readLists(type, input.lists, previous, context, faults);
  faults.push(...cellFaults(type, lists, input.lists.rows?.path ?? input.lists.columns?.path ?? input.path));
  const typeSettings = withDefaults(type.settings, input.typeSettings) as Static<TObject>;
  const settingsBefore = faults.length;
  checkShape(type.settings, typeSettings, input.settingsPath, faults);
  const old = previous ? (withDefaults(type.settings, previous.typeSettings) as Static<TObject>) : null;
  // Check rules between settings only if each setting is valid.
  if (faults.length === settingsBefore) {
    const more = type.checkSettings?.(typeSettings, lists, old) ?? [];
    faults.push(...faultsBelow(input.settingsPath, more));
  }
  if (faults.length > before) return { typeSettings, ...lists };
  return { typeSettings: type.completeSettings?.(typeSettings, old, context.newId) ?? typeSettings, ...lists };
}

function readLists(
  type: QuestionType,
  given: ContentInput["lists"],
  previous: Question | null,
  context: ListContext,
  faults: Fault[],
): QuestionLists {
  const lists: QuestionLists = {};
  for (const name of listNames) {
    const rule = type.lists[name];
    const list = given[name];
    if (list && !rule) faults.push({ path: list.path, message: `is not taken by ${type.typeName}` });
    if (!rule) continue;
    const old = previous ? (previous[name] ?? []) : undefined;
    if (list) lists[name] = readList(rule, list.input, list.path, old, context, faults);
    else lists[name] = previous?.[name] ?? defaultList(name, rule, context.newId);
  }
  return lists;
}

export function readValidation(input: unknown, path: string, faults: Fault[]): Static<typeof validationSchema> {
  const complete = withDefaults(validationSchema, input);
  checkShape(validationSchema, complete, path, faults);
  return isJsonObject(complete) ? (complete as Static<typeof validationSchema>) : { required: false };
}

/** Adds a fault if content without answers, such as a statement, is required. */
export function checkRequired(type: QuestionType, required: unknown, path: string, faults: Fault[]): void {
  if (required === true && !type.answerable) faults.push({ path, message: `is not taken by ${type.typeName}` });
}
