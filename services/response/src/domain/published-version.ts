import type { SurveyDefinition } from "@canvass/questions";

/** A published version. Immutable, so it may be cached. */
export interface PublishedVersion {
  versionId: string;
  versionNumber: number;
  definition: SurveyDefinition;
}
