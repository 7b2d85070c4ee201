import { idPattern } from "@canvass/values";
import { Type, type Static } from "typebox";

/** Which choices of the earlier question a respondent is shown. */
export const whichChoices = ["selected", "not_selected", "shown"] as const;
export type WhichChoices = (typeof whichChoices)[number];

/** Choices of an earlier question, shown instead of own choices (contract 6.23). */
export const choicesFromSchema = Type.Object(
  {
    elementId: Type.String({ pattern: idPattern, description: "an earlier question whose answers are choices" }),
    which: Type.Enum(whichChoices),
  },
  { additionalProperties: false, title: "ChoicesFrom" },
);
export type ChoicesFrom = Static<typeof choicesFromSchema>;
