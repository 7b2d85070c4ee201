-- CONCURRENTLY: surveys are published meanwhile. Few questions carry choices of others.
CREATE INDEX CONCURRENTLY "kept_questions_carrying_idx" ON "kept_questions"("workspace_id", "survey_id") WHERE "published" AND "question" -> 'logic' ? 'choicesFrom';
