import { checkShape, joinPath, unknownFields, type Violation } from "@canvass/inputs";
import { isJsonObject, ownValue, type JsonObject } from "@canvass/values";
import { findQuestionType, typeNames } from "../catalogue.ts";
import { checkLogic } from "../conditions/logic-fields.ts";
import type { ElementLogic, Question } from "../definition.ts";
import { takesDefault } from "../default-value.ts";
import { withLogic, withConstraintNumbers } from "../element-logic.ts";
import { readName } from "../element-names.ts";
import { listNames } from "../list-names.ts";
import { readContent, type ContentInput } from "../question-content.ts";
import type { QuestionType } from "../question-type.ts";
import type { DigestText } from "../translations/read-texts.ts";
import { textsOfQuestion } from "../translations/text-places.ts";
import { withDefaults } from "../type-settings.ts";
import { isDefaultKey } from "./document-keys.ts";
import { documentCondition, elementFields } from "./document-schema.ts";
import type { FormerByKey } from "./former-survey.ts";
import { checkEntries, collectKeys, withFormerIds, type KeyedEntry } from "./read-entries.ts";
import { recallEntries } from "./recall-entries.ts";
import { keyedPlaces, readTranslations } from "./translations.ts";
import { sameQuestion } from "./same-question.ts";

export interface ReadContext {
  formerByKey: FormerByKey;
  /** Ids of the elements that texts may name, by key. */
  ids: ReadonlyMap<string, string>;
  newId: () => string;
  /** Whether an answer names an entry, by its id. */
  isAnswered: (entryId: string) => boolean;
  digest: DigestText;
  /** Collects custom keys by id; default keys, made of the id (`q_<id>`), are left out. */
  keys: Map<string, string>;
  violations: Violation[];
}

const knownFields = [...Object.keys(elementFields), "typeSettings", ...listNames];

/** An element without its logic, which may name elements that are not read yet. */
export interface ElementWithoutLogic {
  question: Question;
  former: Question | undefined;
}

/** Reads an element of a document; undefined after violations. */
export function readElement(input: unknown, path: string, context: ReadContext): ElementWithoutLogic | undefined {
  const { violations } = context;
  const violationsBefore = violations.length;
  if (!isJsonObject(input)) {
    violations.push({ path, message: "must be an object" });
    return undefined;
  }
  checkFields(input, path, violations);
  checkLogic(documentCondition, input, path, violations);
  const name = ownValue(input, "type");
  const type = typeof name === "string" ? findQuestionType(name) : undefined;
  if (!type) {
    if (name !== undefined)
      violations.push({ path: joinPath(path, "type"), message: `must be one of ${typeNames.join(", ")}` });
    return undefined;
  }
  checkTaken(type, input, path, violations);
  const typeSettings = Object.hasOwn(input, "typeSettings") ? input["typeSettings"] : {};
  const settingsPath = joinPath(path, "typeSettings");
  if (!isJsonObject(typeSettings)) violations.push({ path: settingsPath, message: "must be an object" });
  const lists = checkLists(type, input, path, violations);
  const settings = isJsonObject(typeSettings) ? typeSettings : {};
  if (!lists) {
    checkShape(type.settings, withDefaults(type.settings, settings), settingsPath, violations);
    return undefined;
  }
  const former = context.formerByKey.element(String(input["key"]), type.number);
  const question = buildQuestion(type, { input, path, settings, settingsPath, lists, former }, context);
  if (violations.length > violationsBefore) return undefined;
  return { question, former };
}

/** Completes an element with its logic, and reads its translations. An unchanged one is the same object as before. */
export function completeElement(
  { question, former }: ElementWithoutLogic,
  logic: ElementLogic,
  { input, path }: { input: JsonObject; path: string },
  { digest, keys, formerByKey, violations }: ReadContext,
): Question {
  const whole = withConstraintNumbers(withLogic(question, logic), former);
  const given = ownValue(input, "translations");
  const translations =
    (given !== undefined || former?.translations) &&
    readTranslations(
      given,
      textsOfQuestion(whole),
      {
        path: joinPath(path, "translations"),
        former: former?.translations,
        digest,
        placeOf: keyedPlaces(whole, { get: (id) => keys.get(id) ?? formerByKey.keys.get(id) }),
      },
      violations,
    );
  const complete = translations ? { ...whole, translations } : whole;
  return former && sameQuestion(former, complete) ? former : complete;
}

function checkFields(input: JsonObject, path: string, violations: Violation[]): void {
  for (const name of ["key", "type"]) {
    if (!Object.hasOwn(input, name)) violations.push({ path: joinPath(path, name), message: "is required" });
  }
  for (const [name, schema] of Object.entries(elementFields)) {
    if (name !== "type" && Object.hasOwn(input, name))
      checkShape(schema, input[name], joinPath(path, name), violations);
  }
  violations.push(...unknownFields(Object.keys(input), knownFields, path));
}

/** Refuses fields that have no effect on elements of the type, even empty ones. */
function checkTaken(type: QuestionType, input: JsonObject, path: string, violations: Violation[]): void {
  const message = `is not supported by ${type.typeName}`;
  if (!type.lists.choices && Object.hasOwn(input, "choicesFrom")) {
    violations.push({ path: joinPath(path, "choicesFrom"), message });
  }
  for (const name of ["required", "requiredIf", "constraints"]) {
    if (!type.answerable && Object.hasOwn(input, name)) violations.push({ path: joinPath(path, name), message });
  }
  if (!takesDefault(type) && Object.hasOwn(input, "defaultValue")) {
    violations.push({ path: joinPath(path, "defaultValue"), message });
  }
  if (type.fixedText && Object.hasOwn(input, "text")) {
    violations.push({ path: joinPath(path, "text"), message: "is made of typeSettings; leave it out" });
  }
  const { other } = (isJsonObject(input["typeSettings"]) ? input["typeSettings"] : {}) as { other?: unknown };
  if (isJsonObject(other) && Object.hasOwn(other, "choiceId")) {
    violations.push({
      path: `${path}.typeSettings.other.choiceId`,
      message: "is not a known field; the key of Other is other",
    });
  }
}

type Lists = Partial<Record<(typeof listNames)[number], KeyedEntry[]>>;

/** Unlike other input, a document must have every list of its questions. */
function checkLists(type: QuestionType, input: JsonObject, path: string, violations: Violation[]): Lists | undefined {
  const violationsBefore = violations.length;
  const lists: Lists = {};
  for (const name of listNames) {
    const rule = type.lists[name];
    const given = ownValue(input, name);
    const place = joinPath(path, name);
    if (!rule && given !== undefined) violations.push({ path: place, message: `is not supported by ${type.typeName}` });
    if (!rule) continue;
    if (given === undefined && name === "choices" && isCarrying(input)) continue;
    if (given === undefined) violations.push({ path: place, message: "is required" });
    else {
      const hasOther = name === "choices" && Object.hasOwn(type.settings.properties, "other");
      const entries = checkEntries(rule, given, place, hasOther, violations);
      if (entries) lists[name] = entries;
    }
  }
  return violations.length > violationsBefore ? undefined : lists;
}

/** Whether the element carries the choices of another question. */
const isCarrying = (input: JsonObject): boolean => isJsonObject(ownValue(input, "choicesFrom"));

interface ElementParts {
  input: JsonObject;
  path: string;
  settings: JsonObject;
  settingsPath: string;
  lists: Lists;
  former: Question | undefined;
}

function buildQuestion(type: QuestionType, parts: ElementParts, context: ReadContext): Question {
  const { input, path, settings: typeSettings, settingsPath, lists, former } = parts;
  const { newId, isAnswered, ids, keys, formerByKey, violations } = context;
  const given: ContentInput["lists"] = {};
  const known =
    former && recallEntries(former, formerByKey.publishedById.get(former.elementId), lists, formerByKey.keys);
  for (const name of listNames) {
    const list = lists[name];
    if (list)
      given[name] = {
        input: withFormerIds(type.lists[name]!, list, known?.[name], formerByKey),
        path: joinPath(path, name),
      };
  }
  const violationsBefore = violations.length;
  const content = readContent(
    type,
    { path, typeSettings, settingsPath, lists: given },
    known ?? null,
    { newId, isAnswered, carries: isCarrying(input) },
    violations,
  );
  const isValid = violations.length === violationsBefore;
  const { elementId, questionId } = former ?? {
    elementId: ids.get(String(input["key"])) ?? newId(),
    questionId: newId(),
  };
  for (const name of listNames) if (lists[name] && content[name]?.length) collectKeys(lists[name], content[name], keys);
  const name = readName(ownValue(input, "name"));
  if (!isDefaultKey("element", elementId, String(input["key"]))) keys.set(elementId, String(input["key"]));
  return {
    elementId,
    questionId,
    ...(name !== undefined && { name }),
    type: type.number,
    // Invalid settings make no text.
    text: (isValid && type.fixedText?.(content.typeSettings)) || ((ownValue(input, "text") ?? null) as string | null),
    helpText: (ownValue(input, "helpText") ?? null) as string | null,
    responseValidation: { required: ownValue(input, "required") === true },
    ...content,
  };
}
