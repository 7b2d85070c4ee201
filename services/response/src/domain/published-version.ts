import type { SurveyDefinition } from "@canvass/questions";

export interface PublishedVersion {
  versionId: string;
  versionNumber: number;
  definition: SurveyDefinition;
  /** Languages that it is translated into. Absent: none. */
  languages?: readonly string[];
}
