import { idPattern } from "@canvass/values";
import { Type, type Static } from "typebox";
import { textFormats } from "./formats.ts";
import { choicesFromSchema } from "./choices-from.ts";
import { conditionSchema } from "./conditions/condition.ts";
import { allMarkFields, markFields } from "./entry-marks.ts";
import { constraintNumber } from "./constraint-numbers.ts";
import { storedQuotaSchema } from "./quotas/quota.ts";
import { translationsSchema } from "./translations/translated-texts.ts";
import { hiddenFieldSchema } from "./fields/hidden-field.ts";

const id = Type.String({ pattern: idPattern, description: "an id of 16 lower-case letters and digits" });
const closed = { additionalProperties: false };

/** Formats of a form's fields, besides plain text. */
export const fieldFormats = [...textFormats, "number", "date"] as const;

/** A choice, row or dropdown option. `retired`: removed after it was answered; it stays for results only. */
export const choiceSchema = Type.Object(
  {
    id,
    text: Type.String(),
    code: Type.Optional(Type.String({ description: "its value in exports; unique in its list" })),
    ...allMarkFields,
    imageUrl: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    format: Type.Optional(Type.Enum(fieldFormats, { description: "of a form's field; absent: text" })),
    required: Type.Optional(Type.Boolean({ description: "of a form's field; absent: false" })),
    retired: Type.Boolean(),
  },
  { ...closed, title: "DefinitionChoice" },
);

export const columnSchema = Type.Object(
  {
    id,
    text: Type.String(),
    code: Type.Optional(Type.String()),
    ...markFields(["pinned"]),
    retired: Type.Boolean(),
    options: Type.Optional(Type.Array(choiceSchema)),
  },
  { ...closed, title: "DefinitionColumn" },
);

/** `must` holds for every answer, or the answer is refused with the message. */
export const constraintSchema = Type.Object(
  { must: conditionSchema, message: Type.String(), ...constraintNumber },
  { ...closed, title: "Constraint" },
);

/** How an element depends on answers. Absent members: no dependency, and no default value. */
export const elementLogicSchema = Type.Object(
  {
    showIf: Type.Optional(conditionSchema),
    requiredIf: Type.Optional(conditionSchema),
    constraints: Type.Optional(Type.Array(constraintSchema)),
    entries: Type.Optional(
      Type.Record(Type.String(), conditionSchema, {
        description: "conditions of choices and rows, by id: the entry is shown only if its condition holds",
      }),
    ),
    defaultValue: Type.Optional(Type.Unknown({ description: "the answer that the page shows at first" })),
    choicesFrom: Type.Optional(choicesFromSchema),
  },
  { ...closed, title: "ElementLogic" },
);

/** A question on a page (contract 6.5). Its type determines settings and lists (see catalogue.ts). */
export const questionSchema = Type.Object(
  {
    elementId: id,
    questionId: id,
    name: Type.Optional(Type.String({ description: "the name of its columns in exports; unique in the survey" })),
    type: Type.Integer({ minimum: 1 }),
    text: Type.Union([Type.String(), Type.Null()]),
    helpText: Type.Union([Type.String(), Type.Null()]),
    typeSettings: Type.Record(Type.String(), Type.Unknown()),
    responseValidation: Type.Object({ required: Type.Boolean() }, { ...closed, title: "DefinitionValidation" }),
    choices: Type.Optional(Type.Array(choiceSchema)),
    rows: Type.Optional(Type.Array(choiceSchema)),
    columns: Type.Optional(Type.Array(columnSchema)),
    logic: Type.Optional(elementLogicSchema),
    translations: translationsSchema,
  },
  { ...closed, title: "DefinitionElement" },
);

/** If the condition holds on leaving the page, `goTo` is next. */
export const skipRuleSchema = Type.Object(
  {
    when: conditionSchema,
    goTo: Type.Union([id, Type.Literal("end")], { description: "the id of a later page, or end" }),
  },
  { ...closed, title: "SkipRule" },
);

/** The page repeats for each chosen item of this multiple-answer question on an earlier page. */
export const loopSchema = Type.Object(
  { elementId: id, shuffle: Type.Optional(Type.Boolean({ description: "items are shuffled for each respondent" })) },
  { ...closed, title: "PageLoop" },
);

export const pageSchema = Type.Object(
  {
    pageId: id,
    title: Type.Union([Type.String(), Type.Null()]),
    loop: Type.Union([loopSchema, Type.Null()]),
    showIf: Type.Optional(conditionSchema),
    skipLogic: Type.Array(skipRuleSchema),
    shuffle: Type.Optional(Type.Boolean({ description: "its elements are shuffled for each respondent" })),
    block: Type.Optional(
      Type.String({
        description: "adjacent pages with the same block are shuffled for each respondent",
      }),
    ),
    elements: Type.Array(questionSchema),
    translations: translationsSchema,
  },
  { ...closed, title: "DefinitionPage" },
);

/** The content of a published version: plain JSON, which never changes. */
export const surveyDefinitionSchema = Type.Object(
  {
    pages: Type.Array(pageSchema),
    fields: Type.Optional(Type.Array(hiddenFieldSchema)),
    quotas: Type.Optional(Type.Array(storedQuotaSchema)),
  },
  { ...closed, title: "SurveyDefinition" },
);

export type Choice = Static<typeof choiceSchema>;
export type Column = Static<typeof columnSchema>;
export type Question = Static<typeof questionSchema>;
export type Constraint = Static<typeof constraintSchema>;
export type ElementLogic = Static<typeof elementLogicSchema>;
export type SkipRule = Static<typeof skipRuleSchema>;
export type Loop = Static<typeof loopSchema>;
export type Page = Static<typeof pageSchema>;
export type { TranslatedTexts, Translations } from "./translations/translated-texts.ts";
export type SurveyDefinition = Static<typeof surveyDefinitionSchema>;
