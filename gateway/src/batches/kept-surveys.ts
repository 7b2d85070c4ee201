import type { Survey } from "@canvass/proto/survey";
import { LRUCache } from "lru-cache";

/** A survey as it was read. */
export interface KeptSurvey {
  survey: Survey;
  /** By which the service tells whether it is still so. */
  state: string;
}

/** Names a survey of a workspace. */
export interface SurveyOf {
  workspaceId: string;
  surveyId: string;
}

export interface KeptSurveys {
  find(of: SurveyOf): KeptSurvey | undefined;
  keep(of: SurveyOf, kept: KeptSurvey): void;
}

/** In bytes, as `weightOf` takes them. */
export interface KeptLimits {
  ofAll: number;
  ofWorkspace: number;
}

const usual: KeptLimits = { ofAll: 32 * 1024 * 1024, ofWorkspace: 4 * 1024 * 1024 };

/** Keeps what was read last: the workspaces that read, and of each the surveys. A workspace with many forgets its own first. */
export function keepSurveys({ ofAll, ofWorkspace }: KeptLimits = usual): KeptSurveys {
  type Own = LRUCache<string, KeptSurvey>;
  const workspaces = new LRUCache<string, Own>({ maxSize: ofAll, sizeCalculation: (own) => own.calculatedSize + 1 });
  const open = (): Own => new LRUCache({ maxSize: ofWorkspace, sizeCalculation: ({ survey }) => weightOf(survey) });

  return {
    find: ({ workspaceId, surveyId }) => workspaces.get(workspaceId)?.get(surveyId),
    keep({ workspaceId, surveyId }, kept) {
      const own = workspaces.get(workspaceId) ?? open();
      own.set(surveyId, kept);
      // Its size is taken anew only so.
      workspaces.delete(workspaceId);
      workspaces.set(workspaceId, own);
    },
  };
}

/** Texts with two bytes a character, as message and rendered, and about what the rest takes. */
export function weightOf({ name, description, settingsJson }: Survey): number {
  return 4 * (name.length + description.length + settingsJson.length) + 2_000;
}
