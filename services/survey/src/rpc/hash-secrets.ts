import { hashPassword } from "@canvass/access";
import type { SurveySettingsPatch } from "@canvass/questions";

/** Copies the settings, replacing the plain values at `places` (such as `access.password`) by their hashes. */
export async function hashSecrets(
  settings: SurveySettingsPatch,
  places: readonly string[],
): Promise<SurveySettingsPatch> {
  const hashed = structuredClone(settings);
  for (const place of places) {
    const [group = "", key = ""] = place.split(".");
    const values = hashed[group];
    if (values) values[key] = await hashPassword(String(values[key]));
  }
  return hashed;
}
