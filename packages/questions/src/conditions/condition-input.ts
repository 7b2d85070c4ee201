import { closed, lookupId, word } from "@canvass/inputs";
import { Type } from "typebox";
import { constraintNumber } from "../constraint-numbers.ts";
import { conditionSchemaOf, operators } from "./condition.ts";
import { contextConditionInput } from "./context-condition-input.ts";
import { choicesFromOf, logicFieldsOf } from "./logic-fields.ts";
import { conditionTarget } from "./targets.ts";

const compared = {
  operator: word(operators),
  value: Type.Optional(conditionTarget),
  answerOf: Type.Optional(lookupId("an element", "a question whose answer is the value")),
};

/** A condition as callers write it. */
export const conditionInput = conditionSchemaOf(
  closed(
    { elementId: lookupId("an element", "a question of the survey"), ...compared },
    { title: "AnswerConditionInput" },
  ),
  contextConditionInput,
  "ConditionInput",
  closed(
    { name: Type.String({ maxLength: 64, description: "the name of a question of the survey" }), ...compared },
    { title: "NamedConditionInput", description: "a value that is a choice may also be given by code or text" },
  ),
);

export const logicInput = logicFieldsOf(
  conditionInput,
  "ConstraintInput",
  [
    choicesFromOf({ elementId: lookupId("an element", "an earlier question") }, "ChoicesFromInput"),
    choicesFromOf(
      { name: Type.String({ maxLength: 64, description: "the name of an earlier question" }) },
      "NamedChoicesFromInput",
    ),
  ],
  constraintNumber,
);
