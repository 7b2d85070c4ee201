-- CONCURRENTLY: mails are queued meanwhile. Few wait for their first attempt.
CREATE INDEX CONCURRENTLY "mails_new_by_workspace_idx" ON "mails"("workspace_id", "due_at") WHERE "due_at" IS NOT NULL AND "attempts" = 0;
