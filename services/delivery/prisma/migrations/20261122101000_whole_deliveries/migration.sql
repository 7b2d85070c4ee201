ALTER TABLE "deliveries" ADD COLUMN "cancelled_because" TEXT NOT NULL DEFAULT '';

ALTER TABLE "endpoint_health" ADD COLUMN "pausing_failures" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "destination_revision" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "active_since" TIMESTAMPTZ(3);
-- Until now every failure counted.
UPDATE "endpoint_health" SET "pausing_failures" = "consecutive_failures";

ALTER TABLE "disable_requests" ADD COLUMN "destination_revision" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "range_redeliveries" (
    "workspace_id" TEXT NOT NULL,
    "redelivery_id" TEXT NOT NULL,
    "subscription_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "until_at" TIMESTAMPTZ(3) NOT NULL,
    "after_id" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "lease_id" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "range_redeliveries_pkey" PRIMARY KEY ("workspace_id","redelivery_id")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "workspace_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_sha256" BYTEA NOT NULL,
    "response" BYTEA NOT NULL,
    "request_id" TEXT NOT NULL,
    "answered_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("workspace_id","scope","key")
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
CREATE INDEX "range_redeliveries_due_at_idx" ON "range_redeliveries"("due_at");

-- CreateIndex
CREATE INDEX "range_redeliveries_finished_at_idx" ON "range_redeliveries"("finished_at");

-- CreateIndex
CREATE INDEX "idempotency_records_expires_at_idx" ON "idempotency_records"("expires_at");

-- CreateIndex
CREATE INDEX "outbox_events_published_at_occurred_at_idx" ON "outbox_events"("published_at", "occurred_at");

-- Rows live for a second or so: a share of a nearly empty table tells nothing about what to clean up.
ALTER TABLE "outbox_events" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- One pending redelivery of an event for each webhook, under any race. First deliveries have no entry, so queueing pays
-- nothing: an event has one of them (unique by sequence), and it is never pending again.
CREATE UNIQUE INDEX "deliveries_pending_redelivery_key" ON "deliveries"("workspace_id", "event_id", "subscription_id")
  WHERE "status" = 'pending' AND "sequence" > 0;

-- The purge reads ended deliveries by age. Pending ones have no entry.
CREATE INDEX "deliveries_ended_created_at_idx" ON "deliveries"("created_at") WHERE "status" <> 'pending';
