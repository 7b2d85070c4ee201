-- Keys are compared byte by byte, whatever the database takes for the order of letters: beginnings of them are ranges.
-- CreateTable
CREATE TABLE "contacts" (
    "workspace_id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "email" TEXT,
    "email_key" TEXT COLLATE "C",
    "phone" TEXT,
    "first_name" TEXT,
    "last_name" TEXT,
    "name_key" TEXT COLLATE "C",
    "last_name_key" TEXT COLLATE "C",
    "external_id" TEXT,
    "language" TEXT,
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "status" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "unsubscribed_at" TIMESTAMPTZ(3),
    "anonymized_at" TIMESTAMPTZ(3),

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("workspace_id","contact_id")
);

-- CreateTable
CREATE TABLE "contact_counters" (
    "workspace_id" TEXT NOT NULL,
    "shard" SMALLINT NOT NULL,
    "status" TEXT NOT NULL,
    "contacts" BIGINT NOT NULL,

    CONSTRAINT "contact_counters_pkey" PRIMARY KEY ("workspace_id","shard","status")
);

-- CreateTable
CREATE TABLE "contact_activities" (
    "workspace_id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "activity_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "changed_fields" TEXT[],
    "import_id" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "contact_activities_pkey" PRIMARY KEY ("workspace_id","contact_id","activity_id")
);

-- CreateTable
CREATE TABLE "contact_replays" (
    "workspace_id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_replays_pkey" PRIMARY KEY ("workspace_id","contact_id","scope","key")
);

-- CreateTable
CREATE TABLE "contact_erasures" (
    "workspace_id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "service" TEXT NOT NULL,
    "erased" JSONB NOT NULL,
    "erased_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_erasures_pkey" PRIMARY KEY ("workspace_id","contact_id","service")
);

-- CreateTable
CREATE TABLE "contact_imports" (
    "workspace_id" TEXT NOT NULL,
    "import_id" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "match_on" TEXT NOT NULL,
    "total" INTEGER NOT NULL,
    "created" INTEGER NOT NULL DEFAULT 0,
    "updated" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "errors" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "contact_imports_pkey" PRIMARY KEY ("workspace_id","import_id")
);

-- CreateTable
CREATE TABLE "staged_rows" (
    "workspace_id" TEXT NOT NULL,
    "import_id" TEXT NOT NULL,
    "first_row" INTEGER NOT NULL,
    "rows" JSONB NOT NULL,
    "staged_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staged_rows_pkey" PRIMARY KEY ("workspace_id","import_id","first_row")
);

-- CreateTable
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

-- CreateIndex
CREATE INDEX "contacts_workspace_id_status_contact_id_idx" ON "contacts"("workspace_id", "status", "contact_id");

-- CreateIndex
CREATE INDEX "contacts_workspace_id_name_key_contact_id_idx" ON "contacts"("workspace_id", "name_key", "contact_id");

-- CreateIndex
CREATE INDEX "contacts_workspace_id_last_name_key_contact_id_idx" ON "contacts"("workspace_id", "last_name_key", "contact_id");

-- CreateIndex
CREATE UNIQUE INDEX "contacts_workspace_id_email_key_key" ON "contacts"("workspace_id", "email_key");

-- CreateIndex
CREATE UNIQUE INDEX "contacts_workspace_id_external_id_key" ON "contacts"("workspace_id", "external_id");

-- CreateIndex
CREATE INDEX "contact_replays_recorded_at_idx" ON "contact_replays"("recorded_at");

-- CreateIndex
CREATE INDEX "contact_imports_created_at_idx" ON "contact_imports"("created_at");

-- CreateIndex
CREATE INDEX "staged_rows_staged_at_idx" ON "staged_rows"("staged_at");

-- CreateIndex
CREATE INDEX "jobs_due_at_idx" ON "jobs"("due_at");

-- CreateIndex
CREATE INDEX "jobs_finished_at_idx" ON "jobs"("finished_at");

-- Rewritten all the time.
ALTER TABLE "contact_counters" SET (fillfactor = 50);
