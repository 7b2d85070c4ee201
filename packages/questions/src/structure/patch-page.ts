import { checkShape, closed, type Fault, soughtId, word } from "@canvass/inputs";
import { Type } from "typebox";
import { skipOperators, type Page, type SurveyDefinition } from "../definition.ts";
import { indexOf } from "../definition-index.ts";
import { pageTitle } from "../new-questions.ts";
import { ruleFaults, weightLimits } from "../weight.ts";
import { newLogicFaults, pageLogicFaults } from "./logic-faults.ts";
import type { StructureEdit } from "./order-elements.ts";

const mostTargets = 200;

/** What an answer can be compared with; which of it fits is up to the question's type. */
const target = Type.Union([
  Type.String({ maxLength: 4_000 }),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.String({ maxLength: 100 }), { maxItems: mostTargets }),
  Type.Null(),
]);

const ruleSchema = closed({
  when: closed({
    elementId: soughtId("an element", "a question of the survey"),
    operator: word(skipOperators),
    value: Type.Optional(target),
  }),
  goTo: Type.String({ description: "the id of a later page, or end" }),
});

/** The body of `PATCH /surveys/{id}/pages/{pageId}`: only what is given changes. */
export const patchPageBody = closed(
  {
    title: Type.Optional(pageTitle),
    loop: Type.Optional(
      Type.Union([closed({ elementId: soughtId("an element", "a question of the survey") }), Type.Null()]),
    ),
    skipLogic: Type.Optional(Type.Array(ruleSchema, { maxItems: weightLimits.pageRules })),
  },
  { minProperties: 1 },
);

/** What is wrong with a patch whatever the survey is like. */
export function pagePatchFaults(patch: unknown): Fault[] {
  const faults: Fault[] = [];
  checkShape(patchPageBody, patch, "", faults);
  return faults;
}

/**
 * The definition with a page changed as `patch` says. Logic that is given is judged whole, at its place in the patch; so
 * is that of other pages, which may lose what they repeat for, at `pages.<index>`. Throws when there is no such page. May be interrupted.
 */
export function* patchPage(
  definition: SurveyDefinition,
  pageId: string,
  patch: unknown,
): Generator<void, StructureEdit> {
  const index = indexOf(definition).pageIndexes.get(pageId);
  if (index === undefined) throw new Error(`There is no page ${pageId}.`);
  const shape = pagePatchFaults(patch);
  if (shape.length > 0) return { faults: shape };
  const page: Page = { ...definition.pages[index]!, ...(patch as Partial<Page>) };
  const after = { pages: definition.pages.with(index, page) };
  const heavy = ruleFaults(after, "skipLogic");
  if (heavy.length > 0) return { faults: [...heavy] };
  const own = pageLogicFaults(after, index).filter(({ path }) =>
    Object.hasOwn(patch as object, path.split(".", 1)[0]!),
  );
  const others = (yield* newLogicFaults(definition, after)).filter(({ path }) => !path.startsWith(`pages.${index}.`));
  const faults = [...own, ...others];
  return faults.length > 0 ? { faults } : { definition: after };
}
