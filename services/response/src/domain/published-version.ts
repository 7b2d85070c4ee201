import type { SurveyDefinition } from "@canvass/questions";

/** A published version: immutable, so whoever has read it may keep it. */
export interface PublishedVersion {
  versionId: string;
  versionNumber: number;
  definition: SurveyDefinition;
}
