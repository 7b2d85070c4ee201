import type { Survey } from "@canvass/proto/survey";
import { LRUCache } from "lru-cache";

export interface CachedSurvey {
  survey: Survey;
  /** The service compares this with the current state and returns the survey only if it changed. */
  state: string;
}

export interface SurveyOf {
  workspaceId: string;
  surveyId: string;
}

export interface SurveyCache {
  find(of: SurveyOf): CachedSurvey | undefined;
  keep(of: SurveyOf, kept: CachedSurvey): void;
}

export interface CacheLimits {
  totalBytes: number;
  workspaceBytes: number;
}

const usual: CacheLimits = { totalBytes: 32 * 1024 * 1024, workspaceBytes: 4 * 1024 * 1024 };

/** Caches surveys in an LRU per workspace, so that a workspace with many surveys evicts its own first. */
export function createSurveyCache({ totalBytes, workspaceBytes }: CacheLimits = usual): SurveyCache {
  type Own = LRUCache<string, CachedSurvey>;
  const workspaces = new LRUCache<string, Own>({
    maxSize: totalBytes,
    sizeCalculation: (own) => own.calculatedSize + 1,
  });
  const open = (): Own =>
    new LRUCache({ maxSize: workspaceBytes, sizeCalculation: ({ survey }) => estimateBytes(survey) });

  return {
    find: ({ workspaceId, surveyId }) => workspaces.get(workspaceId)?.get(surveyId),
    keep({ workspaceId, surveyId }, kept) {
      const own = workspaces.get(workspaceId) ?? open();
      own.set(surveyId, kept);
      // Reinserted, because the outer cache computes an entry's size only when it is set.
      workspaces.delete(workspaceId);
      workspaces.set(workspaceId, own);
    },
  };
}

/** Estimates bytes: two per character, in two copies (message and rendered), plus a constant for the rest. */
export function estimateBytes({ name, description, settingsJson }: Survey): number {
  return 4 * (name.length + description.length + settingsJson.length) + 2_000;
}
