import { joinPath } from "@canvass/inputs";
import { type Condition, type ConditionTree, type ContextCondition, namesElement } from "./condition.ts";

/** Yields the leaves of a condition in order, with their dotted paths in it. */
export function* leavesOf<Leaf extends object>(
  condition: ConditionTree<Leaf>,
  path = "",
): Generator<{ leaf: Leaf; path: string }, void> {
  const group = groupOf(condition);
  if (group === undefined) return yield { leaf: condition as Leaf, path };
  for (const [part, at] of group.parts) yield* leavesOf(part, joinPath(path, at));
}

/** Replaces each leaf; undefined if one has no replacement. */
export function mapLeaves<From extends object, To extends object>(
  condition: ConditionTree<From>,
  map: (leaf: From, path: string) => To | undefined,
  path = "",
): ConditionTree<To> | undefined {
  const group = groupOf(condition);
  if (group === undefined) return map(condition as From, path);
  const parts = group.parts.map(([part, at]) => mapLeaves(part, map, joinPath(path, at)));
  if (!parts.every((part) => part !== undefined)) return undefined;
  if (group.name === "not") return { not: parts[0]! };
  return group.name === "all" ? { all: parts } : { any: parts };
}

/** Returns the ids of the elements that a condition depends on; unresolved names are returned as names. */
export function askedElements(condition: Condition): Set<string> {
  const ids = [...leavesOf(condition)].flatMap(({ leaf }) => {
    if (!asksAnswers(leaf)) return [];
    return [namesElement(leaf) ? leaf.name : leaf.elementId, leaf.answerOf ?? []].flat();
  });
  return new Set(ids);
}

/**
 * Returns what a condition depends on besides answers: names of hidden fields, and whether it depends on the language.
 */
export function askedContext(condition: Condition): { fields: string[]; language: boolean } {
  const leaves = [...leavesOf(condition)].map(({ leaf }) => leaf);
  return {
    fields: leaves.flatMap((leaf) => ("field" in leaf ? [leaf.field] : [])),
    language: leaves.some((leaf) => "language" in leaf),
  };
}

export function asksAnswers<Other extends object>(leaf: Other | ContextCondition): leaf is Other {
  return !("field" in leaf) && !("language" in leaf);
}

/** Whether a condition holds. `leafHolds` is called for as few leaves as decide it. */
export function holds<Leaf extends object>(
  condition: ConditionTree<Leaf>,
  leafHolds: (leaf: Leaf) => boolean,
): boolean {
  if ("all" in condition) return condition.all.every((part) => holds(part, leafHolds));
  if ("any" in condition) return condition.any.some((part) => holds(part, leafHolds));
  if ("not" in condition) return !holds(condition.not, leafHolds);
  return leafHolds(condition);
}

/** Like `holds`, with comparisons that are unknown (undefined), as in SQL. */
export function mayHold<Leaf extends object>(
  condition: ConditionTree<Leaf>,
  leafHolds: (leaf: Leaf) => boolean | undefined,
): boolean | undefined {
  if ("not" in condition) return negated(mayHold(condition.not, leafHolds));
  if ("all" in condition) return joined(condition.all, leafHolds, false);
  if ("any" in condition) return joined(condition.any, leafHolds, true);
  return leafHolds(condition);
}

const negated = (holds: boolean | undefined) => (holds === undefined ? undefined : !holds);

/** `decisive`: what one part decides for all. */
function joined<Leaf extends object>(
  parts: readonly ConditionTree<Leaf>[],
  leafHolds: (leaf: Leaf) => boolean | undefined,
  decisive: boolean,
): boolean | undefined {
  const results = parts.map((part) => mayHold(part, leafHolds));
  if (results.includes(decisive)) return decisive;
  return results.includes(undefined) ? undefined : !decisive;
}

type Group<Leaf> = { name: "all" | "any" | "not"; parts: [part: ConditionTree<Leaf>, path: string][] };

function groupOf<Leaf extends object>(condition: ConditionTree<Leaf>): Group<Leaf> | undefined {
  if ("all" in condition) return { name: "all", parts: condition.all.map((part, at) => [part, `all.${at}`]) };
  if ("any" in condition) return { name: "any", parts: condition.any.map((part, at) => [part, `any.${at}`]) };
  if ("not" in condition) return { name: "not", parts: [[condition.not, "not"]] };
  return undefined;
}
