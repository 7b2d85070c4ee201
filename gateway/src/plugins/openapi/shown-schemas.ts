import { attributeValue } from "@canvass/inputs";
import { questionStatsSchema, settingsPatchSchema, skipRuleSchema, surveyDefinitionSchema } from "@canvass/questions";
import type { TSchema } from "typebox";
import { feedEventSchema } from "./feed-event-schema.ts";

/** Schemas of answers that are shown in more detail than the gateway needs to render them (`shownAs`). */
export const shownSchemas: readonly TSchema[] = [
  attributeValue,
  feedEventSchema,
  questionStatsSchema,
  settingsPatchSchema,
  skipRuleSchema,
  surveyDefinitionSchema,
];
