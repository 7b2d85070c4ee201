export interface SurveyRef {
  workspaceId: string;
  surveyId: string;
}

export interface VersionRef extends SurveyRef {
  versionId: string;
}
