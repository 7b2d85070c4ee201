import { AppError } from "@canvass/errors";

/** One fault of the input: dotted location, and a sentence without its subject. */
export interface Fault {
  path: string;
  message: string;
}

/** Shared, so that a passed check allocates nothing. */
export const noFaults: readonly Fault[] = Object.freeze([]);

const longestKey = 100;

/** Appends a key to a dotted location. Cuts over-long keys, which come from callers. */
export function joinPath(path: string, key: string | number): string {
  const text = String(key);
  const short = text.length > longestKey ? `${text.slice(0, longestKey)}…` : text;
  return path === "" ? short : `${path}.${short}`;
}

export function faultAt(path: string, message: string): readonly Fault[] {
  return [{ path, message }];
}

/** Moves faults below a location: `faultsBelow("responses.3.value", checkValue(…))`. */
export function faultsBelow(prefix: string, faults: readonly Fault[]): Fault[] {
  return faults.map(({ path, message }) => ({ path: path === "" ? prefix : `${prefix}.${path}`, message }));
}

export const fieldOf = (path: string): string => path.split(".", 1)[0]!;

/** Adds other faults to those of the shape, for fields of the right shape only. */
export function joinFaults(shape: readonly Fault[], others: readonly Fault[]): Fault[] {
  const fields = new Set(shape.map(({ path }) => fieldOf(path)));
  return [...shape, ...others.filter(({ path }) => !fields.has(fieldOf(path)))];
}

/** The `details` of contract 2.1: all messages by location, in order of appearance. */
export function groupFaults(faults: readonly Fault[]): Record<string, string[]> {
  const grouped = new Map<string, string[]>();
  for (const { path, message } of faults) {
    const messages = grouped.get(path);
    if (messages) messages.push(message);
    else grouped.set(path, [message]);
  }
  return Object.fromEntries(grouped);
}

/** A `validation_failed` with every fault (contract 2.1). */
export function validationFailed(faults: readonly Fault[]): AppError {
  return new AppError("validation_failed", groupFaults(faults));
}

/** Throws `validation_failed` when there are faults. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw validationFailed(faults);
}
