import type { SurveyDefinition } from "@canvass/questions";

export interface PublishedVersion {
  versionId: string;
  versionNumber: number;
  definition: SurveyDefinition;
}
