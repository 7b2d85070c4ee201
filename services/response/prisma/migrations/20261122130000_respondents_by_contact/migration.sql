-- CONCURRENTLY: respondents start meanwhile. Most are no contact.
CREATE INDEX CONCURRENTLY "respondents_contact_idx" ON "respondents"("workspace_id", "contact_id", "respondent_id") WHERE "contact_id" <> '';
