import { createSharedCache, type SharedCache } from "@canvass/fairness";
import type { Survey } from "@canvass/proto/survey";

export interface CachedSurvey {
  survey: Survey;
  /** The service compares this with the current state and returns the survey only if it changed. */
  state: string;
}

const mebi = 1024 * 1024;

/** Caches surveys by workspace. */
export function createSurveyCache(): SharedCache<CachedSurvey> {
  return createSharedCache({ maxSize: 32 * mebi, share: 4 * mebi, sizeOf: ({ survey }) => estimateBytes(survey) });
}

/** Estimates bytes: two per character, in two copies (message and rendered), plus a constant for the rest. */
function estimateBytes({ name, description, settingsJson }: Survey): number {
  return 4 * (name.length + description.length + settingsJson.length) + 2_000;
}
