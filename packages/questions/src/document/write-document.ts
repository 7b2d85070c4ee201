import { surveyFieldsOf, type SurveyFields } from "@canvass/inputs";
import { isSameJson, type JsonObject } from "@canvass/values";
import { questionTypeOf } from "../catalogue.ts";
import { withoutRetired } from "../choice-list.ts";
import type { ChoicesFrom } from "../choices-from.ts";
import type { AnswerCondition, Condition, ContextCondition } from "../conditions/condition.ts";
import { asksAnswers, mapLeaves } from "../conditions/tree.ts";
import type { Choice, Column, Page, Question, SurveyDefinition, Translations } from "../definition.ts";
import { findElement } from "../definition-index.ts";
import { marksOf } from "../entry-marks.ts";
import { listNames } from "../list-names.ts";
import { readFields } from "../fields/read-fields.ts";
import { listsOf } from "../survey-lists.ts";
import { placedSettings, storedSetting, type SurveySettingsPatch } from "../survey-settings.ts";
import { textsOfSurvey } from "../translations/survey-texts.ts";
import { textsOfPage, textsOfQuestion, textsOfQuota } from "../translations/text-places.ts";
import { keyOf, type DocumentKeys } from "./document-keys.ts";
import { keyedTexts, mapElementDocument, mapPageDocument, mapSurveyDocument } from "./document-templates.ts";
import { keyedTarget } from "./rule-targets.ts";
import { sparseSettings } from "./sparse-settings.ts";
import { keyedPlaces, translationsDocument } from "./translations.ts";

export interface DocumentSource {
  fields: SurveyFields;
  /** As stored: only chosen settings. */
  settings: SurveySettingsPatch;
  /** Of the survey's own texts. */
  translations: Translations;
  definition: SurveyDefinition;
  keys: DocumentKeys;
}

/**
 * Writes a survey's document as indented JSON (contract 6.14). Equal surveys have equal documents: members have one
 * order, and defaults, ids and retired entries are left out. Yields after each question.
 */
export function* writingDocument({
  fields,
  settings,
  translations,
  definition,
  keys,
}: DocumentSource): Generator<void, string> {
  const own = translationsDocument(textsOfSurvey({ ...fields, settings }), translations);
  const survey = { ...surveyFieldsOf(fields), settings: chosenSettings(settings) };
  const lists = { ...listsOf({ fields: readFields(definition.fields) }), ...quotaDocuments(definition, keys) };
  const map = keyedTexts(definition, keys);
  const ofSurvey = keyedTexts(definition, keys, { ofSurvey: true });
  const head = indented(mapSurveyDocument({ ...survey, ...(own && { translations: own }), ...lists }, ofSurvey), "");
  const pages: string[] = [];
  for (const page of definition.pages) {
    const elements: string[] = [];
    for (const question of page.elements) {
      elements.push(
        `        ${indented(mapElementDocument(elementDocument(question, definition, keys), map), "        ")}`,
      );
      yield;
    }
    const list = elements.length === 0 ? "[]" : `[\n${elements.join(",\n")}\n      ]`;
    const opening = indented(mapPageDocument(pageDocument(page, definition, keys), map), "    ").slice(
      0,
      -"\n    }".length,
    );
    pages.push(`    ${opening},\n      "elements": ${list}\n    }`);
  }
  return `${head.slice(0, -"\n}".length)},\n  "pages": [\n${pages.join(",\n")}\n  ]\n}\n`;
}

/** JSON strings have no raw line breaks, so every line break belongs to the layout. */
const indented = (value: object, by: string): string => JSON.stringify(value, null, 2).replaceAll("\n", `\n${by}`);

/** A secret cannot be read: `true` says that there is one. */
function chosenSettings(stored: SurveySettingsPatch): JsonObject {
  const chosen: Record<string, JsonObject> = {};
  for (const { group, key, setting } of placedSettings) {
    const value = storedSetting(stored, group, key) ?? null;
    if (value === null || setting.aliasOf !== undefined || isSameJson(value, setting.default)) continue;
    chosen[group] = { ...chosen[group], [key]: setting.isSecret ? true : value };
  }
  return chosen;
}

function pageDocument(page: Page, definition: SurveyDefinition, keys: DocumentKeys) {
  const { pageId, title, loop, showIf, skipLogic, shuffle, block } = page;
  const translations = translationsDocument(textsOfPage(page), page.translations);
  return {
    key: keyOf("page", pageId, keys),
    ...(title !== null && { title }),
    ...(loop && { loop: { element: keyOf("element", loop.elementId, keys), ...(loop.shuffle && { shuffle: true }) } }),
    ...(showIf && { showIf: conditionDocument(showIf, definition, keys) }),
    ...(skipLogic.length > 0 && {
      skipLogic: skipLogic.map(({ when, goTo }) => ({
        when: conditionDocument(when, definition, keys),
        goTo: goTo === "end" ? goTo : keyOf("page", goTo, keys),
      })),
    }),
    ...(shuffle && { shuffle }),
    ...(block && { block }),
    ...(translations && { translations }),
  };
}

const conditionDocument = (condition: Condition, definition: SurveyDefinition, keys: DocumentKeys) =>
  mapLeaves(condition, (leaf) =>
    asksAnswers(leaf) ? comparisonDocument(leaf, definition, keys) : contextDocument(leaf),
  );

function logicDocument(question: Question, definition: SurveyDefinition, keys: DocumentKeys): JsonObject {
  const { showIf, requiredIf, constraints, defaultValue, choicesFrom } = question.logic ?? {};
  const written = (condition: Condition) => conditionDocument(condition, definition, keys);
  return {
    ...(showIf && { showIf: written(showIf) }),
    ...(requiredIf && { requiredIf: written(requiredIf) }),
    ...(constraints && { constraints: constraints.map(({ must, message }) => ({ must: written(must), message })) }),
    ...(defaultValue !== undefined && { defaultValue: keyedTarget(question, defaultValue, keys) }),
    ...(choicesFrom && { choicesFrom: sourceDocument(choicesFrom, keys) }),
  };
}

function sourceDocument({ elementId, which }: ChoicesFrom, keys: DocumentKeys) {
  return { element: keyOf("element", elementId, keys), ...(which !== "selected" && { which }) };
}

function quotaDocuments(definition: SurveyDefinition, keys: DocumentKeys) {
  const { quotas = [] } = definition;
  if (quotas.length === 0) return {};
  return {
    quotas: quotas.map(({ name, when, limit, onFull, message, translations: own }) => {
      const translations = translationsDocument(textsOfQuota({ message }), own);
      return {
        name,
        when: conditionDocument(when, definition, keys),
        limit,
        onFull,
        ...(message !== null && { message }),
        ...(translations && { translations }),
      };
    }),
  };
}

function contextDocument({ operator, value, ...subject }: ContextCondition): ContextCondition {
  return { ...subject, operator, ...(value !== undefined && value !== null && { value }) };
}

function comparisonDocument(
  { elementId, operator, value, answerOf }: AnswerCondition,
  definition: SurveyDefinition,
  keys: DocumentKeys,
) {
  const isGiven = value !== undefined && value !== null;
  const { question } = findElement(definition, elementId) ?? {};
  return {
    element: keyOf("element", elementId, keys),
    operator,
    ...(isGiven && { value: keyedTarget(question, value, keys) }),
    ...(answerOf !== undefined && { answerOf: keyOf("element", answerOf, keys) }),
  };
}

function elementDocument(question: Question, definition: SurveyDefinition, keys: DocumentKeys): JsonObject {
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
    ...logicDocument(question, definition, keys),
    ...(typeSettings && { typeSettings }),
  };
  const showIfs = question.logic?.entries ?? {};
  const showIfOf = (id: string) =>
    Object.hasOwn(showIfs, id) ? conditionDocument(showIfs[id]!, definition, keys) : undefined;
  for (const name of listNames)
    if (type.lists[name] && question[name]) document[name] = entries(question[name], keys, showIfOf);
  const translations =
    question.translations &&
    translationsDocument(textsOfQuestion(question), question.translations, keyedPlaces(question, keys));
  if (translations) document["translations"] = translations;
  return document;
}

/** The id of Other stays with its question. */
function withoutIds(settings: Question["typeSettings"]): JsonObject {
  const { other } = settings as { other?: JsonObject };
  return other ? { ...settings, other: { ...other, choiceId: null } } : settings;
}

function entries(
  list: readonly (Choice & Partial<Column>)[] | undefined,
  keys: DocumentKeys,
  showIfOf: (id: string) => unknown,
): JsonObject[] {
  return withoutRetired(list).map((entry) => {
    const { id, text, code, imageUrl, format, required, options } = entry;
    const showIf = showIfOf(id);
    return {
      key: keyOf("entry", id, keys),
      ...(code !== undefined && { code }),
      text,
      ...marksOf(entry),
      ...(imageUrl && { imageUrl }),
      ...(format && { format }),
      ...(required && { required }),
      ...(options && { options: entries(options, keys, showIfOf) }),
      ...(showIf !== undefined && { showIf }),
    };
  });
}
