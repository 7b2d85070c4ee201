-- CONCURRENTLY: respondents start meanwhile. Most are no contact.
CREATE INDEX CONCURRENTLY "respondents_contact_starts_idx" ON "respondents"("workspace_id", "contact_id", "started_at", "respondent_id") WHERE "contact_id" <> '' AND NOT "is_test";
