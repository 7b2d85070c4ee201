CREATE INDEX CONCURRENTLY "respondents_workspace_id_survey_id_respondent_id_idx" ON "respondents"("workspace_id", "survey_id", "respondent_id");
