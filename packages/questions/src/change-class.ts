/** Effect of a change to a published survey on existing answers, from mildest to worst. */
export const changeClasses = ["safe", "results_affecting", "breaking"] as const;
export type ChangeClass = (typeof changeClasses)[number];

/**
 * Effect of changing a setting: its class; or the class and the only entry (`entryId`) whose answers are affected; or
 * null if another part of the question reports the change.
 */
export type SettingEffect = ChangeClass | { class: ChangeClass; entryId: string | null } | null;

export const affectsResults = "results_affecting";

export function affectsIf(affects: boolean): ChangeClass {
  return affects ? affectsResults : "safe";
}

type Limit = number | null;

export function lowerLimit(before: Limit, after: Limit): ChangeClass {
  return affectsIf((after ?? -Infinity) > (before ?? -Infinity));
}

export function upperLimit(before: Limit, after: Limit): ChangeClass {
  return affectsIf((after ?? Infinity) < (before ?? Infinity));
}

/** A rule that several answers may break, such as a pattern: any new one affects results. */
export function optionalRule(_before: unknown, after: unknown): ChangeClass {
  return affectsIf(after !== null);
}

export function switchedRule(_before: boolean, after: boolean): ChangeClass {
  return affectsIf(after);
}

/** Allowing several answers affects results. Allowing only one breaks answers that name several. */
export function severalAnswers(_before: boolean, after: boolean): ChangeClass {
  return after ? affectsResults : "breaking";
}
