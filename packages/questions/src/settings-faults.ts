import type { Fault } from "@canvass/inputs";

/** Where in the body a setting was sent, from its place in an element's settings; undefined where it was not. */
export type SentPlace = (place: string) => string | undefined;

/**
 * Faults of an element's settings at the places of the body that was sent. What it left as it was has no place in it: then
 * the fault stands at `sent`, the field that does not go with it, and names the setting.
 */
export function faultsAsSent(faults: readonly Fault[], sent: string, placeOf: SentPlace): Fault[] {
  return faults.map(({ path, message }) => {
    const place = placeOf(path);
    if (place !== undefined) return { path: place, message };
    return { path: sent, message: `conflicts with ${settingName(path)}, which ${message}` };
  });
}

const settingName = (path: string): string => path.replace(/^settings\.((typeSettings|responseValidation)\.)?/, "");
