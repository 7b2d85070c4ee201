import { newLogicViolations, quotaViolations, type HiddenField, type SurveyDefinition } from "@canvass/questions";
import type { Violation } from "@canvass/inputs";

/** Returns the conditions that ask a field which other fields take away, or give another type. Yields per page. */
export function* askedFieldViolations(
  definition: SurveyDefinition,
  fields: HiddenField[],
): Generator<void, Violation[]> {
  const after = { ...definition, fields };
  const before = new Set(quotaViolations(definition, "quotas").map(({ path }) => path));
  const broken = [
    ...(yield* newLogicViolations(definition, after)),
    ...quotaViolations(after, "quotas").filter(({ path }) => !before.has(path)),
  ];
  return broken.map(({ path, message }) => ({
    path: "fields",
    message: `must keep what a condition asks: ${path} ${message}`,
  }));
}
