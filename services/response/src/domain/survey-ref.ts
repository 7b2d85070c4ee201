export interface SurveyRef {
  workspaceId: string;
  surveyId: string;
}

export interface VersionRef extends SurveyRef {
  versionId: string;
}

/** A version in a language, or in the nearest one that it is translated into. Absent or empty: that of the survey. */
export interface LanguageRef extends VersionRef {
  language?: string | undefined;
}
