import { closed, word } from "@canvass/inputs";
import { Type } from "typebox";
import { operators } from "./condition.ts";
import { conditionTarget } from "./targets.ts";

const comparison = { operator: word(operators), value: Type.Optional(conditionTarget) };

/** Conditions about hidden fields and the language, as callers and documents write them. */
export const contextConditionInput = {
  field: closed(
    { field: Type.String({ maxLength: 64, description: "the name of a hidden field of the survey" }), ...comparison },
    { title: "FieldConditionInput" },
  ),
  language: closed(
    {
      language: Type.Literal(true, {
        description: "compares the language in which the respondent reads",
        "x-expected": "true",
      }),
      ...comparison,
    },
    { title: "LanguageConditionInput" },
  ),
};
