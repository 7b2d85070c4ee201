/** Effects of a change to a published survey on existing answers, from mild to severe. */
export const changeClasses = ["safe", "results_affecting", "breaking"] as const;
export type ChangeClass = (typeof changeClasses)[number];

/** The class, alone or with the only entry that is affected; null if another difference reports the change. */
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

/** For a rule that several answers may break, such as a pattern. Any new rule affects results. */
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
