-- AlterTable
ALTER TABLE "uploaded_files" ADD COLUMN     "client_key" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "distributor_id" TEXT NOT NULL DEFAULT '';

-- What no answer names is counted by link and client address, too; Prisma does not know such indexes.
DROP INDEX "uploaded_files_unanswered_idx";
CREATE INDEX "uploaded_files_unanswered_idx" ON "uploaded_files"("workspace_id") INCLUDE ("survey_id", "respondent_id", "distributor_id", "client_key", "size_bytes") WHERE "expires_at" IS NOT NULL;
