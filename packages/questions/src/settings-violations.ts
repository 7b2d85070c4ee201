import type { Violation } from "@canvass/inputs";

/** Maps a path in an element's settings to the path in the body; undefined if the body does not have the setting. */
export type PlaceInRequest = (place: string) => string | undefined;

/** Maps violations to paths in the body. A violation of a setting that the body does not have gets the path `sent`. */
export function violationsInRequest(
  violations: readonly Violation[],
  sent: string,
  placeOf: PlaceInRequest,
): Violation[] {
  return violations.map(({ path, message }) => {
    const place = placeOf(path);
    if (place !== undefined) return { path: place, message };
    return { path: sent, message: `conflicts with ${settingName(path)}, which ${message}` };
  });
}

const settingName = (path: string): string => path.replace(/^settings\.((typeSettings|responseValidation)\.)?/, "");
