import type { Violation } from "@canvass/inputs";

/** Maps a path in an element's settings to the path in the body; undefined if the body does not contain it. */
export type SentPlace = (place: string) => string | undefined;

/**
 * Maps violations of an element's settings to paths in the body. A fault of a setting that the body left out goes to
 * `sent`, the conflicting field, and names the setting.
 */
export function violationsAsSent(violations: readonly Violation[], sent: string, placeOf: SentPlace): Violation[] {
  return violations.map(({ path, message }) => {
    const place = placeOf(path);
    if (place !== undefined) return { path: place, message };
    return { path: sent, message: `conflicts with ${settingName(path)}, which ${message}` };
  });
}

const settingName = (path: string): string => path.replace(/^settings\.((typeSettings|responseValidation)\.)?/, "");
