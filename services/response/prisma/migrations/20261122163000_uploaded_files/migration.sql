-- AlterTable
ALTER TABLE "download_links" ADD COLUMN     "file_id" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "uploaded_files" (
    "workspace_id" TEXT NOT NULL,
    "file_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "element_id" TEXT NOT NULL,
    "respondent_id" TEXT NOT NULL,
    "is_test" BOOLEAN NOT NULL,
    "name" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "mime_type" TEXT NOT NULL DEFAULT '',
    "sha256" TEXT NOT NULL DEFAULT '',
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "uploaded_files_pkey" PRIMARY KEY ("workspace_id","file_id")
);

-- CreateTable
CREATE TABLE "file_totals" (
    "workspace_id" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "file_totals_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateIndex
CREATE INDEX "uploaded_files_workspace_id_respondent_id_idx" ON "uploaded_files"("workspace_id", "respondent_id");

-- What no answer names is few; Prisma does not know such indexes.
CREATE INDEX "uploaded_files_expires_at_idx" ON "uploaded_files"("expires_at") WHERE "expires_at" IS NOT NULL;
CREATE INDEX "uploaded_files_unanswered_idx" ON "uploaded_files"("workspace_id") INCLUDE ("respondent_id", "size_bytes") WHERE "expires_at" IS NOT NULL;
