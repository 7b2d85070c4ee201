-- CONCURRENTLY: respondents start meanwhile. Only imported ones have such an id.
CREATE UNIQUE INDEX CONCURRENTLY "respondents_external_id_idx" ON "respondents"("workspace_id", "survey_id", "external_id", "is_test") WHERE "external_id" IS NOT NULL;
