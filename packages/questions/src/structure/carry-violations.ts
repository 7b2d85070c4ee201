import { joinPath, type Violation } from "@canvass/inputs";
import { withoutRetired } from "../choice-list.ts";
import { otherOf } from "../chosen-choices.ts";
import type { PlacedElement } from "../definition-index.ts";
import { elementField, namesSource } from "../conditions/named-conditions.ts";

/**
 * Returns the violations of `choicesFrom`, relative to the element. `find` returns an earlier element, or a violation
 * if there is none.
 */
export function carryViolations(
  { question, type, page }: PlacedElement,
  find: (elementId: string) => PlacedElement | string,
): Violation[] {
  const from = question.logic?.choicesFrom;
  if (!from) return [];
  const { lists, typeName } = type;
  if (!lists.choices) return [{ path: "choicesFrom", message: `is not supported by ${typeName}` }];
  if (namesSource(from)) {
    return [{ path: "choicesFrom.name", message: "must be the name of an element of the survey" }];
  }
  const at = (message: string): Violation => ({ path: joinPath("choicesFrom", elementField(from)), message });
  const source = find(from.elementId);
  if (typeof source === "string") return [at(source)];
  if (!source.type.canBeCarried) return [at("must name a question whose answers are choices")];
  if (source.page.loop && source.page !== page)
    return [at("must name a question of this page, or of one that does not repeat")];
  const violations: Violation[] = [];
  if (question.logic?.defaultValue !== undefined) {
    violations.push({ path: "defaultValue", message: "cannot be combined with choicesFrom" });
  }
  const { max } = lists.choices;
  const { choices = [] } = question;
  const carried = withoutRetired(choices).length;
  if (carried > max) {
    const cure = "remove choices from the question that it names, or name one with fewer";
    violations.push(at(`carries ${carried} choices, but ${typeName} takes at most ${max}: ${cure}`));
  }
  if (otherOf(question)?.enabled) {
    violations.push({ path: "typeSettings.other.enabled", message: "cannot be combined with choicesFrom" });
  }
  return violations;
}
