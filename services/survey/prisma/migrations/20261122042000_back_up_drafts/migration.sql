-- AlterTable
ALTER TABLE "surveys" ADD COLUMN     "draft_edited_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- Nearer than now to when the draft was last edited.
UPDATE "surveys" SET "draft_edited_at" = "updated_at";

-- CreateTable
CREATE TABLE "backups" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "backup_id" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "definition" JSONB NOT NULL,
    "question_count" INTEGER NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "backups_pkey" PRIMARY KEY ("workspace_id","survey_id","backup_id")
);

-- CreateTable
CREATE TABLE "survey_locks" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "lease_id" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "request" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "survey_locks_pkey" PRIMARY KEY ("workspace_id","survey_id")
);

-- AddForeignKey
ALTER TABLE "backups" ADD CONSTRAINT "backups_workspace_id_survey_id_fkey" FOREIGN KEY ("workspace_id", "survey_id") REFERENCES "surveys"("workspace_id", "survey_id") ON DELETE CASCADE ON UPDATE CASCADE;
