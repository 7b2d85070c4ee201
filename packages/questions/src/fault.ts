import type { Fault } from "@canvass/errors";

export type { Fault };

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
