import { isJsonObject, type JsonObject } from "@canvass/values";
import { NotSayable, type Comparator } from "../expressions/expression.ts";
import { conditionOrReason } from "../expressions/read-condition.ts";
import { choiceKey, compareAnswer } from "../expressions/to-condition.ts";
import { textAt } from "../json-values.ts";
import { change, cut, type ReportItem } from "../report.ts";
import type { QualtricsSurvey } from "./qualtrics-survey.ts";

const comparators: Record<string, Comparator> = {
  EqualTo: "=",
  NotEqualTo: "!=",
  GreaterThan: ">",
  GreaterThanOrEqual: ">=",
  LessThan: "<",
  LessThanOrEqual: "<=",
};

/** Reads display or branch logic; undefined if there is none, or if it cannot be converted, which `item` reports. */
export function logicOf(survey: QualtricsSurvey, logic: unknown, item: ReportItem): JsonObject | undefined {
  if (!isJsonObject(logic)) return undefined;
  const read = conditionOrReason(() => groupOf(logic, (group) => groupOf(group, (leaf) => leafOf(survey, leaf))));
  if (typeof read !== "string") return read;
  change(item, `its logic is left out, since it ${read}`);
  return undefined;
}

/** Reads the members `0`, `1` and so on. They are joined by `and` or `or`; `and` binds tighter. */
function groupOf(group: JsonObject, read: (part: JsonObject) => JsonObject): JsonObject {
  const any: JsonObject[][] = [];
  for (const [name, part] of Object.entries(group)) {
    if (!/^\d+$/.test(name) || !isJsonObject(part)) continue;
    const isOr =
      /or/i.test(`${textAt(part, "Conjuction")}${textAt(part, "Conjunction")}`) || /^OrIf$/i.test(textAt(part, "Type"));
    if (isOr || any.length === 0) any.push([]);
    any.at(-1)!.push(read(part));
  }
  if (any.length === 0) throw new NotSayable("has no comparison");
  const joined = any.map((all) => (all.length === 1 ? all[0]! : { all }));
  return joined.length === 1 ? joined[0]! : { any: joined };
}

function leafOf(survey: QualtricsSurvey, leaf: JsonObject): JsonObject {
  const [kind, operator] = [textAt(leaf, "LogicType"), textAt(leaf, "Operator")];
  if (kind === "EmbeddedField") return fieldLeaf(survey, leaf, operator);
  if (kind !== "Question") throw new NotSayable(`asks ${cut(kind || "nothing")}`);
  const asked = survey.asked.get(textAt(leaf, "QuestionID"));
  if (!asked) throw new NotSayable(`asks ${cut(textAt(leaf, "QuestionID"))}, which does not come before it`);
  const element = asked.key;
  if (operator === "Empty" || operator === "Displayed")
    throw new NotSayable(`asks whether it is ${operator.toLowerCase()}`);
  if (operator === "NotEmpty") return { element, operator: "answered" };
  const locator = textAt(leaf, "ChoiceLocator") || textAt(leaf, "LeftOperand");
  const choice = /\/SelectableChoice\/([\w.-]+)$/.exec(locator)?.[1];
  if (choice !== undefined && (operator === "Selected" || operator === "NotSelected")) {
    const key = choiceKey(asked, choice);
    const isSelected = operator === "Selected";
    if (asked.kind === "choices") return { element, operator: isSelected ? "contains" : "not_contains", value: key };
    return { element, operator: isSelected ? "equals" : "not_equals", value: key };
  }
  if (operator === "Contains" && asked.kind === "text")
    return { element, operator: "contains", value: textAt(leaf, "RightOperand") };
  if (asked.kind !== "number" && asked.kind !== "text")
    throw new NotSayable(`compares by ${cut(operator || "nothing")}`);
  return compareAnswer(asked, comparatorOf(operator), textAt(leaf, "RightOperand"));
}

function fieldLeaf({ fields }: QualtricsSurvey, leaf: JsonObject, operator: string): JsonObject {
  const field = textAt(leaf, "LeftOperand");
  if (!fields.has(field)) throw new NotSayable(`asks the field ${cut(field)}, which the survey lacks`);
  const comparator = comparatorOf(operator);
  if (comparator !== "=" && comparator !== "!=") throw new NotSayable("orders a field of text");
  return { field, operator: comparator === "=" ? "equals" : "not_equals", value: textAt(leaf, "RightOperand") };
}

function comparatorOf(operator: string): Comparator {
  if (!Object.hasOwn(comparators, operator)) throw new NotSayable(`compares by ${cut(operator || "nothing")}`);
  return comparators[operator]!;
}
