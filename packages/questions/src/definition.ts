import { idPattern } from "@canvass/values";
import { Type, type Static } from "typebox";
import { conditionSchema } from "./conditions/condition.ts";
import { quotaSchema } from "./quotas/quota.ts";
import { hiddenFieldSchema } from "./fields/hidden-field.ts";

const id = Type.String({ pattern: idPattern, description: "an id of 16 lower-case letters and digits" });
const closed = { additionalProperties: false };

/** A choice, row or dropdown option. `retired`: removed after it was answered; it stays for results only. */
export const choiceSchema = Type.Object(
  {
    id,
    text: Type.String(),
    code: Type.Optional(Type.String({ description: "how exports write it; differs within its list" })),
    imageUrl: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    retired: Type.Boolean(),
  },
  { ...closed, title: "DefinitionChoice" },
);

export const columnSchema = Type.Object(
  {
    id,
    text: Type.String(),
    code: Type.Optional(Type.String()),
    retired: Type.Boolean(),
    options: Type.Optional(Type.Array(choiceSchema)),
  },
  { ...closed, title: "DefinitionColumn" },
);

/** A question on a page (contract 6.5). Its type determines settings and lists (see catalogue.ts). */
export const questionSchema = Type.Object(
  {
    elementId: id,
    questionId: id,
    name: Type.Optional(Type.String({ description: "how exports name its columns; differs within the survey" })),
    type: Type.Integer({ minimum: 1 }),
    text: Type.Union([Type.String(), Type.Null()]),
    helpText: Type.Union([Type.String(), Type.Null()]),
    typeSettings: Type.Record(Type.String(), Type.Unknown()),
    responseValidation: Type.Object({ required: Type.Boolean() }, { ...closed, title: "DefinitionValidation" }),
    choices: Type.Optional(Type.Array(choiceSchema)),
    rows: Type.Optional(Type.Array(choiceSchema)),
    columns: Type.Optional(Type.Array(columnSchema)),
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
export const loopSchema = Type.Object({ elementId: id }, { ...closed, title: "PageLoop" });

export const pageSchema = Type.Object(
  {
    pageId: id,
    title: Type.Union([Type.String(), Type.Null()]),
    loop: Type.Union([loopSchema, Type.Null()]),
    skipLogic: Type.Array(skipRuleSchema),
    elements: Type.Array(questionSchema),
  },
  { ...closed, title: "DefinitionPage" },
);

/** The content of a published version: plain JSON, which never changes. */
export const surveyDefinitionSchema = Type.Object(
  {
    pages: Type.Array(pageSchema),
    fields: Type.Optional(Type.Array(hiddenFieldSchema)),
    quotas: Type.Optional(Type.Array(quotaSchema)),
  },
  { ...closed, title: "SurveyDefinition" },
);

export type Choice = Static<typeof choiceSchema>;
export type Column = Static<typeof columnSchema>;
export type Question = Static<typeof questionSchema>;
export type SkipRule = Static<typeof skipRuleSchema>;
export type Loop = Static<typeof loopSchema>;
export type Page = Static<typeof pageSchema>;
export type SurveyDefinition = Static<typeof surveyDefinitionSchema>;
