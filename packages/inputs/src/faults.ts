import { AppError } from "@canvass/errors";

/** A fault of the input. `path` is dotted; `message` is a sentence without its subject. */
export interface Fault {
  path: string;
  message: string;
}

/** Shared, so that a passed check allocates nothing. */
export const noFaults: readonly Fault[] = Object.freeze([]);

const longestKey = 100;

/** Appends a key to a dotted path. Truncates long keys, because they come from callers. */
export function joinPath(path: string, key: string | number): string {
  const text = String(key);
  const short = text.length > longestKey ? `${text.slice(0, longestKey)}…` : text;
  return path === "" ? short : `${path}.${short}`;
}

export function faultAt(path: string, message: string): readonly Fault[] {
  return [{ path, message }];
}

/** Prefixes paths: `faultsBelow("responses.3.value", checkValue(value))`. */
export function faultsBelow(prefix: string, faults: readonly Fault[]): Fault[] {
  return faults.map(({ path, message }) => ({ path: path === "" ? prefix : `${prefix}.${path}`, message }));
}

export const fieldOf = (path: string): string => path.split(".", 1)[0]!;

/** Adds `others`, except for fields that already have a shape fault. */
export function joinFaults(shape: readonly Fault[], others: readonly Fault[]): Fault[] {
  const fields = new Set(shape.map(({ path }) => fieldOf(path)));
  return [...shape, ...others.filter(({ path }) => !fields.has(fieldOf(path)))];
}

/** Groups messages by path in order of appearance: the `details` of contract 2.1. */
export function groupFaults(faults: readonly Fault[]): Record<string, string[]> {
  const grouped = new Map<string, string[]>();
  for (const { path, message } of faults) {
    const messages = grouped.get(path);
    if (messages) messages.push(message);
    else grouped.set(path, [message]);
  }
  return Object.fromEntries(grouped);
}

/** Returns a `validation_failed` with every fault (contract 2.1). */
export function validationFailed(faults: readonly Fault[]): AppError {
  return new AppError("validation_failed", groupFaults(faults));
}

/** Throws `validation_failed` if there are faults. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw validationFailed(faults);
}
