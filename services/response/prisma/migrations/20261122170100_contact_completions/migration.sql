-- CONCURRENTLY: respondents complete meanwhile. Most are no contact.
CREATE INDEX CONCURRENTLY "respondents_contact_completions_idx" ON "respondents"("workspace_id", "contact_id", "completed_at", "respondent_id") WHERE "contact_id" <> '' AND NOT "is_test" AND "completed_at" IS NOT NULL;
