export interface SurveyRef {
  workspaceId: string;
  surveyId: string;
}

export interface VersionRef extends SurveyRef {
  versionId: string;
}

/**
 * A version in a language, or in the closest one that it is translated into. Absent or empty: the survey's language.
 */
export interface LanguageRef extends VersionRef {
  language?: string | undefined;
}
