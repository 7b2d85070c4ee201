import { checkShape, closed, type Violation, lookupId, word } from "@canvass/inputs";
import { isJsonObject, ownValue } from "@canvass/values";
import { Type } from "typebox";
import { checkRuleConditions } from "../conditions/check-condition.ts";
import { conditionOf, operators } from "../conditions/condition.ts";
import { conditionTarget } from "../conditions/targets.ts";
import type { Page, SurveyDefinition } from "../definition.ts";
import { indexOf } from "../definition-index.ts";
import { pageTitle } from "../new-questions.ts";
import { ruleViolations, weightLimits } from "../weight.ts";
import { newLogicViolations, pageLogicViolations } from "./logic-violations.ts";
import type { StructureEdit } from "./order-elements.ts";

export const conditionInput = conditionOf(
  closed(
    {
      elementId: lookupId("an element", "a question of the survey"),
      operator: word(operators),
      value: Type.Optional(conditionTarget),
    },
    { title: "AnswerConditionInput" },
  ),
  "ConditionInput",
);

const ruleSchema = closed(
  {
    when: { ...conditionInput, "x-judged-by": "condition" },
    goTo: Type.String({ description: "the id of a later page, or end" }),
  },
  { title: "SkipRuleInput" },
);

/** Absent fields stay. */
export const patchPageBody = closed(
  {
    title: Type.Optional(pageTitle),
    loop: Type.Optional(
      Type.Union([
        closed({ elementId: lookupId("an element", "a question of the survey") }, { title: "PageLoopInput" }),
        Type.Null(),
      ]),
    ),
    skipLogic: Type.Optional(Type.Array(ruleSchema, { maxItems: weightLimits.pageRules })),
  },
  { minProperties: 1 },
);

/** Returns the violations that do not depend on the survey. */
export function pagePatchViolations(patch: unknown): Violation[] {
  const violations: Violation[] = [];
  checkShape(patchPageBody, patch, "", violations);
  if (isJsonObject(patch)) checkRuleConditions(conditionInput, ownValue(patch, "skipLogic"), "skipLogic", violations);
  return violations;
}

/** Also validates other pages, whose logic may break. Throws if there is no such page. Yields after each page. */
export function* patchPage(
  definition: SurveyDefinition,
  pageId: string,
  patch: unknown,
): Generator<void, StructureEdit> {
  const index = indexOf(definition).pageIndexes.get(pageId);
  if (index === undefined) throw new Error(`There is no page ${pageId}.`);
  const shape = pagePatchViolations(patch);
  if (shape.length > 0) return { violations: shape };
  const page: Page = { ...definition.pages[index]!, ...(patch as Partial<Page>) };
  const after = { ...definition, pages: definition.pages.with(index, page) };
  const heavy = ruleViolations(after, "skipLogic");
  if (heavy.length > 0) return { violations: [...heavy] };
  const own = pageLogicViolations(after, index).filter(({ path }) =>
    Object.hasOwn(patch as object, path.split(".", 1)[0]!),
  );
  const others = (yield* newLogicViolations(definition, after)).filter(
    ({ path }) => !path.startsWith(`pages.${index}.`),
  );
  const violations = [...own, ...others];
  return violations.length > 0 ? { violations } : { definition: after };
}
