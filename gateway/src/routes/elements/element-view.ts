import type { Choice, Column, Element } from "@canvass/proto/survey-elements";
import { word } from "@canvass/inputs";
import { allMarkFields, fieldFormats, type ElementLogic } from "@canvass/questions";
import { Type } from "typebox";
import { logicFields, condition } from "../condition-schemas.ts";
import { dateTime, id, named, nullableText, questionTypeName } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";

const listed = {
  id,
  surveyId: id,
  pageId: id,
  type: Type.Integer({ description: "number of the question type" }),
  typeName: questionTypeName,
  questionId: Type.String({ description: "never changes, over all versions" }),
  name: { ...nullableText, description: "the name of its columns in exports; unique in the survey" },
  sortOrder: Type.Integer({ description: "position on its page" }),
  questionText: nullableText,
  helpText: nullableText,
  createdAt: dateTime,
  updatedAt: dateTime,
};

const retired = Type.Optional(
  Type.Boolean({ description: "it was answered and then removed, so it cannot be chosen any more" }),
);

const code = Type.Optional(Type.String({ description: "its value in exports; unique in its list" }));

export const choiceSchema = named("Choice", {
  id,
  text: Type.String(),
  code,
  ...allMarkFields,
  imageUrl: Type.Optional(Type.String({ description: "image choices only" })),
  format: Type.Optional(word(fieldFormats, { description: "fields of forms only; absent: text" })),
  required: Type.Optional(Type.Boolean({ description: "fields of forms only" })),
  showIf: Type.Optional(condition),
  retired,
});

export const columnSchema = named("Column", {
  id,
  text: Type.String(),
  code,
  pinned: allMarkFields.pinned,
  options: Type.Optional(Type.Array(choiceSchema, { description: "dropdown matrices only" })),
  retired,
});

export const responseValidation = named("ResponseValidation", { required: Type.Boolean() });

export const elementSettingsSchema = named("ElementSettings", {
  typeSettings: Type.Unsafe<object>({
    type: "object",
    additionalProperties: true,
    description: "settings of the question type, with defaults filled in",
  }),
  responseValidation,
});

const lists = {
  choices: Type.Optional(Type.Array(choiceSchema)),
  rows: Type.Optional(Type.Array(choiceSchema)),
  columns: Type.Optional(Type.Array(columnSchema)),
};

/** An element in a list. The fields after `updatedAt` are present only with `include=content`. */
export const listedFields = {
  ...listed,
  settings: Type.Optional(elementSettingsSchema),
  ...lists,
  required: Type.Optional(Type.Boolean()),
  ...Type.Partial(Type.Object(logicFields)).properties,
};
export const listedElementSchema = named("SurveyElement", listedFields, { "x-shown-as": "SurveyElement" });

/** A single element (contract 6.5). */
export const detailedFields = {
  ...listed,
  settings: elementSettingsSchema,
  ...lists,
  required: Type.Boolean(),
  ...logicFields,
  answered: Type.Boolean(),
  responses: Type.Integer({ description: "respondents who answered it, without tests" }),
};
export const elementSchema = named("ElementDetails", detailedFields, { "x-shown-as": "ElementDetails" });

export function elementView(element: Element) {
  const { elementId, surveyId, pageId, type, typeName, questionId, sortOrder, choices, rows, columns } = element;
  const logic = readLogic(element);
  const { entries } = logic;
  return {
    id: elementId,
    surveyId,
    pageId,
    type,
    typeName,
    questionId,
    name: element.name || null,
    sortOrder,
    questionText: element.questionText ?? null,
    helpText: element.helpText ?? null,
    createdAt: isoTime(element.createdAt),
    updatedAt: isoTime(element.updatedAt),
    settings: elementSettingsView(element),
    ...(choices.length > 0 && { choices: choices.map((choice) => choiceView(choice, entries)) }),
    ...(rows.length > 0 && { rows: rows.map((row) => choiceView(row, entries)) }),
    ...(columns.length > 0 && { columns: columns.map(columnView) }),
    required: element.required,
    ...logicView(logic),
    answered: element.responses > 0n,
    responses: Number(element.responses),
  };
}

export function elementSettingsView({ typeSettingsJson, required }: Element) {
  return { typeSettings: JSON.parse(typeSettingsJson) as object, responseValidation: { required } };
}

export const readLogic = ({ logicJson }: Pick<Element, "logicJson">): ElementLogic =>
  (logicJson ? JSON.parse(logicJson) : {}) as ElementLogic;

export function logicView({ showIf, requiredIf, constraints = [], defaultValue = null, choicesFrom }: ElementLogic) {
  const conditions = { showIf: showIf ?? null, requiredIf: requiredIf ?? null };
  return { ...conditions, constraints, defaultValue, choicesFrom: choicesFrom ?? null };
}

/** `entries`: conditions of choices and rows by id. */
function choiceView(choice: Choice, entries?: ElementLogic["entries"]) {
  const { id, text, code: own, exclusive, freeText, pinned, imageUrl, format, required, retired } = choice;
  // JSON omits undefined. Spreads would be slow for a survey with many choices.
  return {
    id,
    text,
    code: own || undefined,
    exclusive: exclusive || undefined,
    freeText: freeText || undefined,
    pinned: pinned || undefined,
    imageUrl: imageUrl === "" ? undefined : imageUrl,
    format: format || undefined,
    required: required || undefined,
    showIf: entries?.[id],
    retired: retired || undefined,
  };
}

function columnView({ id, text, code: own, pinned, options, retired }: Column) {
  return {
    id,
    text,
    ...(own && { code: own }),
    ...(pinned && { pinned }),
    ...(options.length > 0 && { options: options.map((option) => choiceView(option)) }),
    ...(retired && { retired }),
  };
}
