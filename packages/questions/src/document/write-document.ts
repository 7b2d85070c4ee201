import type { SurveyFields } from "@canvass/inputs";
import type { JsonObject } from "@canvass/values";
import { questionTypeOf } from "../catalogue.ts";
import { standing } from "../choice-list.ts";
import type { AnswerCondition } from "../conditions/condition.ts";
import { mapLeaves } from "../conditions/tree.ts";
import type { Choice, Column, Page, Question, SurveyDefinition } from "../definition.ts";
import { findElement } from "../definition-index.ts";
import { listNames } from "../list-input.ts";
import { readFields } from "../fields/read-fields.ts";
import { listsOf } from "../survey-lists.ts";
import { placedSettings, type SurveySettingsPatch } from "../survey-settings.ts";
import { keyOf, type DocumentKeys } from "./document-keys.ts";
import { keyedTarget } from "./rule-targets.ts";
import { sameJson } from "./same-json.ts";
import { sparseSettings } from "./sparse-settings.ts";

export interface DocumentSource {
  fields: SurveyFields;
  /** As stored: only chosen settings. */
  settings: SurveySettingsPatch;
  definition: SurveyDefinition;
  keys: DocumentKeys;
}

/**
 * Writes a survey's document as indented JSON (contract 6.14). Equal surveys have equal documents: members have one
 * order, and defaults, ids and retired entries are left out. Yields after each question.
 */
export function* writingDocument({ fields, settings, definition, keys }: DocumentSource): Generator<void, string> {
  const { name, description, language, type } = fields;
  const own = { name, description, language, type, settings: chosenSettings(settings) };
  const head = indented(
    { ...own, ...listsOf({ fields: readFields(definition.fields) }), ...quotaDocuments(definition, keys) },
    "",
  );
  const pages: string[] = [];
  for (const page of definition.pages) {
    const elements: string[] = [];
    for (const question of page.elements) {
      elements.push(`        ${indented(elementDocument(question, keys), "        ")}`);
      yield;
    }
    const list = elements.length === 0 ? "[]" : `[\n${elements.join(",\n")}\n      ]`;
    const opening = indented(pageDocument(page, definition, keys), "    ").slice(0, -"\n    }".length);
    pages.push(`    ${opening},\n      "elements": ${list}\n    }`);
  }
  return `${head.slice(0, -"\n}".length)},\n  "pages": [\n${pages.join(",\n")}\n  ]\n}\n`;
}

/** Texts in JSON have no line breaks, so that each one begins a line of the layout. */
const indented = (value: object, by: string): string => JSON.stringify(value, null, 2).replaceAll("\n", `\n${by}`);

/** A secret cannot be read: `true` says that there is one. */
function chosenSettings(stored: SurveySettingsPatch): JsonObject {
  const chosen: Record<string, JsonObject> = {};
  for (const { group, key, setting } of placedSettings) {
    const value = stored[group]?.[key] ?? null;
    if (value === null || sameJson(value, setting.default)) continue;
    chosen[group] = { ...chosen[group], [key]: setting.isSecret ? true : value };
  }
  return chosen;
}

function pageDocument({ pageId, title, loop, skipLogic }: Page, definition: SurveyDefinition, keys: DocumentKeys) {
  return {
    key: keyOf("page", pageId, keys),
    ...(title !== null && { title }),
    ...(loop && { loop: { element: keyOf("element", loop.elementId, keys) } }),
    ...(skipLogic.length > 0 && {
      skipLogic: skipLogic.map(({ when, goTo }) => ({
        when: mapLeaves(when, (leaf) => comparisonDocument(leaf, definition, keys)),
        goTo: goTo === "end" ? goTo : keyOf("page", goTo, keys),
      })),
    }),
  };
}

function quotaDocuments(definition: SurveyDefinition, keys: DocumentKeys) {
  const { quotas = [] } = definition;
  if (quotas.length === 0) return {};
  return {
    quotas: quotas.map(({ name, when, limit, onFull, message }) => ({
      name,
      when: mapLeaves(when, (leaf) => comparisonDocument(leaf, definition, keys)),
      limit,
      onFull,
      ...(message !== null && { message }),
    })),
  };
}

function comparisonDocument(
  { elementId, operator, value }: AnswerCondition,
  definition: SurveyDefinition,
  keys: DocumentKeys,
) {
  const isGiven = value !== undefined && value !== null;
  const { question } = findElement(definition, elementId) ?? {};
  return {
    element: keyOf("element", elementId, keys),
    operator,
    ...(isGiven && { value: keyedTarget(question, value, keys) }),
  };
}

function elementDocument(question: Question, keys: DocumentKeys): JsonObject {
  const { elementId, name: ownName, text, helpText, responseValidation } = question;
  const type = questionTypeOf(question);
  const typeSettings = sparseSettings(type.settings, withoutIds(question.typeSettings));
  const document: JsonObject = {
    key: keyOf("element", elementId, keys),
    ...(ownName !== undefined && { name: ownName }),
    type: type.typeName,
    ...(text !== null && !type.fixedText && { text }),
    ...(helpText !== null && { helpText }),
    ...(responseValidation.required && { required: true }),
    ...(typeSettings && { typeSettings }),
  };
  for (const name of listNames) if (type.lists[name]) document[name] = entries(question[name], keys);
  return document;
}

/** The id of Other stays with its question. */
function withoutIds(settings: Question["typeSettings"]): JsonObject {
  const { other } = settings as { other?: JsonObject };
  return other ? { ...settings, other: { ...other, choiceId: null } } : settings;
}

function entries(list: readonly (Choice & Partial<Column>)[] | undefined, keys: DocumentKeys): JsonObject[] {
  return standing(list).map(({ id, text, code, imageUrl, options }) => ({
    key: keyOf("entry", id, keys),
    ...(code !== undefined && { code }),
    text,
    ...(imageUrl && { imageUrl }),
    ...(options && { options: entries(options, keys) }),
  }));
}
