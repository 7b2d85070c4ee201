import { AppError } from "@canvass/errors";

/** One thing wrong with the input: where (dotted location) and what (a sentence without its subject). */
export interface Fault {
  path: string;
  message: string;
}

/** The answer of a check that found nothing; shared so that the hot path allocates nothing. */
export const noFaults: readonly Fault[] = Object.freeze([]);

const longestKey = 100;

/** Appends a key to a dotted location. Keys come from callers, so an over-long one is cut. */
export function joinPath(path: string, key: string | number): string {
  const text = String(key);
  const short = text.length > longestKey ? `${text.slice(0, longestKey)}…` : text;
  return path === "" ? short : `${path}.${short}`;
}

/** A list with the single fault `message` at `path`. */
export function faultAt(path: string, message: string): readonly Fault[] {
  return [{ path, message }];
}

/** The same faults below another location: `faultsBelow("responses.3.value", checkValue(…))`. */
export function faultsBelow(prefix: string, faults: readonly Fault[]): Fault[] {
  return faults.map(({ path, message }) => ({ path: path === "" ? prefix : `${prefix}.${path}`, message }));
}

/** The field of a body in which a dotted location lies. */
export const fieldOf = (path: string): string => path.split(".", 1)[0]!;

/**
 * Faults that the edge found, and those a service found besides. The service never sees a field in which the edge found
 * one, so its own faults of that field mean nothing.
 */
export function joinFaults(edge: readonly Fault[], own: readonly Fault[]): Fault[] {
  const fields = new Set(edge.map(({ path }) => fieldOf(path)));
  return [
    ...edge.map(({ path, message }) => ({ path, message })),
    ...own.filter(({ path }) => !fields.has(fieldOf(path))),
  ];
}

/** The `details` of contract 2.1: every faulty location with all its messages, in order of appearance. */
export function groupFaults(faults: readonly Fault[]): Record<string, string[]> {
  const grouped = new Map<string, string[]>();
  for (const { path, message } of faults) {
    const messages = grouped.get(path);
    if (messages) messages.push(message);
    else grouped.set(path, [message]);
  }
  return Object.fromEntries(grouped);
}

/** A `validation_failed` naming every fault at once (contract 2.1). */
export function validationFailed(faults: readonly Fault[]): AppError {
  return new AppError("validation_failed", groupFaults(faults));
}

/** Throws `validation_failed` unless there are no faults. */
export function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) throw validationFailed(faults);
}
