/** Identifies a survey. The workspace is the caller's, so a caller cannot reach another one. */
export interface SurveyRef {
  workspaceId: string;
  surveyId: string;
}
