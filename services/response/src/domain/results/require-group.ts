import { validationFailed } from "@canvass/inputs";
import type { ResultFilter } from "./result-filter.ts";

/** The smallest group of people with full anonymity whose results a filter may show. */
export const smallestGroup = 5;

/** Throws `validation_failed` if a filter leaves so few people with full anonymity that it might name one. */
export function requireGroup(filter: ResultFilter, anonymous: number): void {
  const isNarrowed = Object.entries(filter).some(([name, part]) => name !== "isCompleted" && part !== undefined);
  if (!isNarrowed || anonymous === 0 || anonymous >= smallestGroup) return;
  const message = `must match at least ${smallestGroup} of the respondents with full anonymity, or none`;
  throw validationFailed([{ path: "query", message }]);
}
