import { AppError } from "@canvass/errors";

/** `path` is dotted; `message` is a sentence without its subject. */
export interface Violation {
  path: string;
  message: string;
}

/** Shared, so that valid input allocates nothing. */
export const noViolations: readonly Violation[] = Object.freeze([]);

const longestKey = 100;

/** Appends a key to a dotted path. Truncates long keys, because they come from callers. */
export function joinPath(path: string, key: string | number): string {
  const text = String(key);
  const short = text.length > longestKey ? `${text.slice(0, longestKey)}…` : text;
  return path === "" ? short : `${path}.${short}`;
}

/** Returns a list of one violation. */
export function violationAt(path: string, message: string): readonly Violation[] {
  return [{ path, message }];
}

/** Prefixes paths, as in `violationsBelow("responses.3.value", checkValue(value))`. */
export function violationsBelow(prefix: string, violations: readonly Violation[]): Violation[] {
  return violations.map(({ path, message }) => ({ path: path === "" ? prefix : `${prefix}.${path}`, message }));
}

export const fieldOf = (path: string): string => path.split(".", 1)[0]!;

/** Adds `others`, except for fields that already have a violation of the shape. */
export function joinViolations(shape: readonly Violation[], others: readonly Violation[]): Violation[] {
  const fields = new Set(shape.map(({ path }) => fieldOf(path)));
  return [...shape, ...others.filter(({ path }) => !fields.has(fieldOf(path)))];
}

/** Many more than fit into a response (`cutDetails` of packages/rpc). Grouping and cutting 250,000 would take 0.7 s. */
const mostGrouped = 10_000;

/**
 * Groups messages by path in order of appearance: the `details` of contract 2.1. Of more than 10,000 the others are only
 * counted, under the key `…`.
 */
export function groupViolations(violations: readonly Violation[]): Record<string, string[]> {
  const grouped = new Map<string, string[]>();
  const leftOut = violations.length - mostGrouped;
  // The first key, so that it stays when details are cut.
  if (leftOut > 0) grouped.set("…", [`${leftOut} more are left out here`]);
  for (const { path, message } of leftOut > 0 ? violations.slice(0, mostGrouped) : violations) {
    const messages = grouped.get(path);
    if (messages) messages.push(message);
    else grouped.set(path, [message]);
  }
  return Object.fromEntries(grouped);
}

export function validationFailed(violations: readonly Violation[]): AppError {
  return new AppError("validation_failed", groupViolations(violations));
}

export function refuseViolations(violations: readonly Violation[]): void {
  if (violations.length > 0) throw validationFailed(violations);
}
