import { attributeValue } from "@canvass/inputs";
import {
  answerInputByType,
  conditionSchema,
  constraintSchema,
  nullableCondition,
  publicElementByType,
  questionStatsSchema,
  quotaSchema,
  settingsPatchSchema,
  skipRuleSchema,
  surveyDefinitionSchema,
  surveyDocumentSchema,
} from "@canvass/questions";
import type { TSchema } from "typebox";
import { feedEventSchema } from "../plugins/openapi/feed-event-schema.ts";
import { elementByTypeSchema, listedElementByTypeSchema } from "./elements/element-by-type.ts";
import { ownAnswerByTypeSchema } from "./public/get-link-respondent.ts";
import { answerByTypeSchema, answerRowByTypeSchema } from "./responses/answer-view.ts";

/** Schemas that the document shows in more detail than the gateway needs to check or render them (`shownAs`). */
export const shownSchemas: readonly TSchema[] = [
  answerByTypeSchema,
  answerInputByType,
  answerRowByTypeSchema,
  attributeValue,
  nullableCondition(conditionSchema),
  conditionSchema,
  constraintSchema,
  elementByTypeSchema,
  feedEventSchema,
  listedElementByTypeSchema,
  ownAnswerByTypeSchema,
  publicElementByType,
  questionStatsSchema,
  quotaSchema,
  settingsPatchSchema,
  skipRuleSchema,
  surveyDefinitionSchema,
  surveyDocumentSchema,
];
