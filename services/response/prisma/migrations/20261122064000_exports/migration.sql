CREATE TABLE "exports" (
    "workspace_id" TEXT NOT NULL,
    "export_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "options" JSONB NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    "row_count" INTEGER,
    "size_bytes" BIGINT,
    "expires_at" TIMESTAMPTZ(3),
    "files_deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "exports_pkey" PRIMARY KEY ("workspace_id","export_id")
);

CREATE INDEX "exports_workspace_id_survey_id_idx" ON "exports"("workspace_id", "survey_id");
CREATE INDEX "exports_files_deleted_at_idx" ON "exports"("files_deleted_at");

CREATE TABLE "jobs" (
    "workspace_id" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "lease_id" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER,
    "checkpoint" JSONB,
    "cancel_requested" BOOLEAN NOT NULL DEFAULT false,
    "outcome" TEXT,
    "error" TEXT,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("workspace_id","job_id")
);

CREATE INDEX "jobs_due_at_idx" ON "jobs"("due_at");
CREATE INDEX "jobs_finished_at_idx" ON "jobs"("finished_at");
