/** Identifies a survey. For a person's call the workspace is the caller's, so a caller cannot reach another one. */
export interface SurveyRef {
  workspaceId: string;
  surveyId: string;
}
