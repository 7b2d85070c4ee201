-- What no answer names is counted by survey, too; Prisma does not know such indexes.
DROP INDEX "uploaded_files_unanswered_idx";
CREATE INDEX "uploaded_files_unanswered_idx" ON "uploaded_files"("workspace_id") INCLUDE ("survey_id", "respondent_id", "size_bytes") WHERE "expires_at" IS NOT NULL;
