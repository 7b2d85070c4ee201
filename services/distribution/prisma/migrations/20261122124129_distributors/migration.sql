-- CreateTable
CREATE TABLE "distributors" (
    "workspace_id" TEXT NOT NULL,
    "distributor_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "code" TEXT,
    "settings" JSONB NOT NULL,
    "time_zone" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "issued_links" INTEGER NOT NULL DEFAULT 0,
    "deleting_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "distributors_pkey" PRIMARY KEY ("workspace_id","distributor_id")
);

-- CreateTable
CREATE TABLE "issued_links" (
    "workspace_id" TEXT NOT NULL,
    "distributor_id" TEXT NOT NULL,
    "link_id" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "contact_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "issued_links_pkey" PRIMARY KEY ("workspace_id","distributor_id","link_id")
);

-- CreateTable
CREATE TABLE "opened_counts" (
    "workspace_id" TEXT NOT NULL,
    "distributor_id" TEXT NOT NULL,
    "opened" BIGINT NOT NULL,

    CONSTRAINT "opened_counts_pkey" PRIMARY KEY ("workspace_id","distributor_id")
);

-- CreateTable
CREATE TABLE "outbox_events" (
    "event_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "payload" BYTEA NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "awaiting" TEXT[],
    "published_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_events_pkey" PRIMARY KEY ("event_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "distributors_code_key" ON "distributors"("code");

-- CreateIndex
CREATE INDEX "distributors_workspace_id_survey_id_distributor_id_idx" ON "distributors"("workspace_id", "survey_id", "distributor_id");

-- CreateIndex
CREATE UNIQUE INDEX "issued_links_code_key" ON "issued_links"("code");

-- CreateIndex
CREATE UNIQUE INDEX "issued_links_workspace_id_distributor_id_contact_id_key" ON "issued_links"("workspace_id", "distributor_id", "contact_id");

-- CreateIndex
CREATE INDEX "outbox_events_published_at_occurred_at_idx" ON "outbox_events"("published_at", "occurred_at");

-- AddForeignKey
ALTER TABLE "issued_links" ADD CONSTRAINT "issued_links_workspace_id_distributor_id_fkey" FOREIGN KEY ("workspace_id", "distributor_id") REFERENCES "distributors"("workspace_id", "distributor_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "opened_counts" ADD CONSTRAINT "opened_counts_workspace_id_distributor_id_fkey" FOREIGN KEY ("workspace_id", "distributor_id") REFERENCES "distributors"("workspace_id", "distributor_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rows live for a second or so: a share of a nearly empty table tells nothing about what to clean up.
ALTER TABLE "outbox_events" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
