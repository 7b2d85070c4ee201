import { choicesFromSchema, type ChoicesFrom, type Condition, type Constraint } from "@canvass/questions";
import { Type } from "typebox";
import { shownAs } from "./schemas.ts";

/** A condition as responses show it, or null. */
export const conditionOrNull = Type.Unsafe<Condition | null>({
  ...shownAs("ConditionOrNull"),
  type: ["object", "null"],
});

/** A condition as responses show it. */
export const condition = Type.Unsafe<Condition>(shownAs("Condition"));

/** Has its own name, because null is written as one of its types. */
const choicesFrom = Type.Unsafe<ChoicesFrom | null>({
  ...Type.Object(choicesFromSchema.properties, { additionalProperties: false, title: "ChoicesFromOrNull" }),
  type: ["object", "null"],
});

/** The logic of an element (contract 6.9), its default answer (6.19), and where it takes choices from (6.23). */
export const logicFields = {
  showIf: conditionOrNull,
  requiredIf: conditionOrNull,
  constraints: Type.Unsafe<Constraint[]>(Type.Array(shownAs("Constraint"))),
  defaultValue: Type.Unknown({ description: "the answer that the page shows at first; null: none" }),
  choicesFrom,
};
