-- An erasure took exports that were running for expired: their files were called deleted before they were written, and
-- may show who was erased later. They go now.
UPDATE "exports" SET "files_deleted_at" = NULL, "expires_at" = least("expires_at", now())
WHERE "files_deleted_at" < "completed_at";
UPDATE "exports" e SET "files_deleted_at" = NULL, "expires_at" = NULL FROM "jobs" j
WHERE (j."workspace_id", j."job_id") = (e."workspace_id", e."export_id") AND e."completed_at" IS NULL;
