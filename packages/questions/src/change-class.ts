/** What a change of a published survey does to the answers there are, from the mildest to the worst. */
export const changeClasses = ["safe", "results_affecting", "breaking"] as const;
export type ChangeClass = (typeof changeClasses)[number];

/**
 * What changing a setting does to answers: its class; or the class with the entry (`entryId`) whose answers alone are
 * concerned; or null when another part of the question tells the change.
 */
export type SettingEffect = ChangeClass | { class: ChangeClass; entryId: string | null } | null;

export const affectsResults = "results_affecting";

/** Affects results when it does, else it is safe. */
export function affectsIf(affects: boolean): ChangeClass {
  return affects ? affectsResults : "safe";
}

type Limit = number | null;

/** A lower limit (null: none): tighter when it rises. */
export function lowerLimit(before: Limit, after: Limit): ChangeClass {
  return affectsIf((after ?? -Infinity) > (before ?? -Infinity));
}

/** An upper limit (null: none): tighter when it falls. */
export function upperLimit(before: Limit, after: Limit): ChangeClass {
  return affectsIf((after ?? Infinity) < (before ?? Infinity));
}

/** A rule that several answers break, such as a pattern: tighter as soon as there is another one. */
export function optionalRule(_before: unknown, after: unknown): ChangeClass {
  return affectsIf(after !== null);
}

/** A rule that is on or off: tighter when it is switched on. */
export function switchedRule(_before: boolean, after: boolean): ChangeClass {
  return affectsIf(after);
}

/** Several answers instead of one: the other way what was answered no longer fits. */
export function severalAnswers(_before: boolean, after: boolean): ChangeClass {
  return after ? affectsResults : "breaking";
}
