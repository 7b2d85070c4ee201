/** Names a survey; the workspace is the caller's, so that nobody reaches further than it. */
export interface SurveyRef {
  workspaceId: string;
  surveyId: string;
}
