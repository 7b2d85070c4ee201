import { closed, lookupId, word } from "@canvass/inputs";
import { Type } from "typebox";
import { conditionOf, operators } from "./condition.ts";
import { contextConditionInput } from "./context-condition-input.ts";
import { logicFieldsOf } from "./logic-fields.ts";
import { conditionTarget } from "./targets.ts";

/** A condition as callers write it. */
export const conditionInput = conditionOf(
  closed(
    {
      elementId: lookupId("an element", "a question of the survey"),
      operator: word(operators),
      value: Type.Optional(conditionTarget),
      answerOf: Type.Optional(lookupId("an element", "a question whose answer is the value")),
    },
    { title: "AnswerConditionInput" },
  ),
  contextConditionInput,
  "ConditionInput",
);

export const logicInput = logicFieldsOf(conditionInput, "ConstraintInput");
