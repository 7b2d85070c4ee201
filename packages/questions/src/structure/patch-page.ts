import { checkShape, closed, type Violation, lookupId } from "@canvass/inputs";
import { isJsonObject, ownValue } from "@canvass/values";
import { Type } from "typebox";
import { checkRuleConditions } from "../conditions/check-condition.ts";
import { conditionInput, logicInput } from "../conditions/condition-input.ts";
import { conditionResolver } from "../conditions/named-conditions.ts";
import { checkLogic } from "../conditions/logic-fields.ts";
import type { Page, SurveyDefinition } from "../definition.ts";
import { indexOf } from "../definition-index.ts";
import { pageTitle } from "../new-questions.ts";
import { nameResolver, resolvePageTitle } from "../piping/resolve-names.ts";
import { comparisonViolations, weightLimits } from "../weight.ts";
import { newLogicViolations, pageLogicViolations } from "./logic-violations.ts";
import type { StructureEditResult } from "./order-elements.ts";
import { pageBlock, shuffleElements, shuffleItems } from "./shuffle-fields.ts";

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
        closed(
          { elementId: lookupId("an element", "a question of the survey"), shuffle: shuffleItems },
          { title: "PageLoopInput" },
        ),
        Type.Null(),
      ]),
    ),
    showIf: logicInput.showIf,
    skipLogic: Type.Optional(Type.Array(ruleSchema, { maxItems: weightLimits.pageRules })),
    shuffle: shuffleElements,
    block: pageBlock,
  },
  { minProperties: 1 },
);

/** A page has no condition or block that is null, and no shuffling that is false. */
function withoutDefaults({ shuffle, loop, showIf, block, ...page }: Page): Page {
  const plain = loop && loop.shuffle === false ? { elementId: loop.elementId } : loop;
  return { ...page, loop: plain, ...(showIf && { showIf }), ...(shuffle && { shuffle }), ...(block && { block }) };
}

/** Returns the violations that do not depend on the survey. */
export function pagePatchViolations(patch: unknown): Violation[] {
  const violations: Violation[] = [];
  checkShape(patchPageBody, patch, "", violations);
  if (!isJsonObject(patch)) return violations;
  checkRuleConditions(conditionInput, ownValue(patch, "skipLogic"), "skipLogic", violations);
  if (Object.hasOwn(patch, "showIf")) checkLogic(conditionInput, { showIf: patch["showIf"] }, "", violations);
  return violations;
}

/** Also validates other pages, whose logic may break. Throws if there is no such page. Yields after each page. */
export function* patchPage(
  definition: SurveyDefinition,
  pageId: string,
  patch: unknown,
): Generator<void, StructureEditResult> {
  const index = indexOf(definition).pageIndexes.get(pageId);
  if (index === undefined) throw new Error(`There is no page ${pageId}.`);
  const shape = pagePatchViolations(patch);
  if (shape.length > 0) return { violations: shape };
  const resolve = nameResolver(definition);
  const changed = resolvePageTitle(
    withoutDefaults({ ...definition.pages[index]!, ...(patch as Partial<Page>) }),
    resolve,
  );
  const { translations, ...source } = changed;
  const resolveCondition = conditionResolver(definition);
  const page: Page = {
    ...source,
    ...(source.showIf && { showIf: resolveCondition(source.showIf) }),
    skipLogic: source.skipLogic.map((rule) => ({ ...rule, when: resolveCondition(rule.when) })),
    ...(translations && source.title !== null && { translations }),
  };
  const after = { ...definition, pages: definition.pages.with(index, page) };
  const heavy = comparisonViolations(after, Object.hasOwn(patch as object, "skipLogic") ? "skipLogic" : "showIf");
  if (heavy.length > 0) return { violations: [...heavy] };
  const isSent = (path: string): boolean => Object.hasOwn(patch as object, path.split(".", 1)[0]!);
  const own = pageLogicViolations(after, index).filter(({ path }) => isSent(path));
  const at = `pages.${index}.`;
  const others = (yield* newLogicViolations(definition, after)).filter(
    ({ path }) => !path.startsWith(at) || !isSent(path.slice(at.length)),
  );
  const violations = [...own, ...others];
  return violations.length > 0 ? { violations } : { definition: after };
}
