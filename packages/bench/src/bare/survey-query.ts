/** The plain read of a survey, shared by the bare program and the floor. */
export const surveyQuery = (surveyId: string) => ({
  name: "read",
  text: `SELECT survey_id AS id, name, description, language, type, active, owner_account_id AS "ownerAccountId", settings,
      published_version AS "publishedVersion", has_unpublished_changes AS "hasUnpublishedChanges",
      question_count AS "questionCount", response_count AS "responseCount", created_at AS "createdAt",
      updated_at AS "updatedAt" FROM surveys WHERE survey_id = $1`,
  values: [surveyId],
});
