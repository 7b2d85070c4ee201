-- CreateTable
CREATE TABLE "deliveries" (
    "workspace_id" TEXT NOT NULL,
    "subscription_id" TEXT NOT NULL,
    "delivery_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 0,
    "event_type" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "redelivery_of" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("workspace_id","subscription_id","delivery_id")
);

-- CreateTable
CREATE TABLE "due_deliveries" (
    "workspace_id" TEXT NOT NULL,
    "subscription_id" TEXT NOT NULL,
    "delivery_id" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "scheduled_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL,
    "lease_id" TEXT,
    "begun_at" TIMESTAMPTZ(3),

    CONSTRAINT "due_deliveries_pkey" PRIMARY KEY ("workspace_id","delivery_id")
);

-- CreateTable
CREATE TABLE "endpoint_queues" (
    "workspace_id" TEXT NOT NULL,
    "subscription_id" TEXT NOT NULL,
    "next_due_at" TIMESTAMPTZ(3),
    "claimed_at" TIMESTAMPTZ(3),

    CONSTRAINT "endpoint_queues_pkey" PRIMARY KEY ("workspace_id","subscription_id")
);

-- CreateTable
CREATE TABLE "attempts" (
    "workspace_id" TEXT NOT NULL,
    "subscription_id" TEXT NOT NULL,
    "delivery_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "attempted_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "status_code" INTEGER,
    "response_body" TEXT NOT NULL,

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("workspace_id","subscription_id","delivery_id","number")
);

-- CreateTable
CREATE TABLE "endpoint_health" (
    "workspace_id" TEXT NOT NULL,
    "subscription_id" TEXT NOT NULL,
    "consecutive_failures" INTEGER NOT NULL,
    "last_success_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),
    "unreported" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "endpoint_health_pkey" PRIMARY KEY ("workspace_id","subscription_id")
);

-- CreateTable
CREATE TABLE "disable_requests" (
    "workspace_id" TEXT NOT NULL,
    "subscription_id" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "disable_requests_pkey" PRIMARY KEY ("workspace_id","subscription_id")
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
CREATE TABLE "consumed_events" (
    "workspace_id" TEXT NOT NULL,
    "consumer" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "consumed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "consumed_events_pkey" PRIMARY KEY ("workspace_id","consumer","event_id")
);

-- CreateTable
CREATE TABLE "poison_events" (
    "workspace_id" TEXT NOT NULL,
    "consumer" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "payload" BYTEA NOT NULL,
    "error" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "failed_at" TIMESTAMPTZ(3) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "poison_events_pkey" PRIMARY KEY ("workspace_id","consumer","event_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_workspace_id_event_id_subscription_id_sequence_key" ON "deliveries"("workspace_id", "event_id", "subscription_id", "sequence");

-- CreateIndex
CREATE INDEX "due_deliveries_workspace_id_subscription_id_due_at_idx" ON "due_deliveries"("workspace_id", "subscription_id", "due_at");

-- CreateIndex
CREATE INDEX "endpoint_queues_next_due_at_idx" ON "endpoint_queues"("next_due_at");

-- CreateIndex
CREATE INDEX "idempotency_records_expires_at_idx" ON "idempotency_records"("expires_at");

-- CreateIndex
CREATE INDEX "consumed_events_consumed_at_idx" ON "consumed_events"("consumed_at");

-- CreateIndex
CREATE INDEX "poison_events_consumer_next_attempt_at_idx" ON "poison_events"("consumer", "next_attempt_at");

-- One index for each status a list can be filtered by. As partial ones they never tempt the planner away from the
-- primary key when it looks deliveries up.
CREATE INDEX "deliveries_pending_idx" ON "deliveries"("workspace_id", "subscription_id", "delivery_id") WHERE "status" = 'pending';
CREATE INDEX "deliveries_delivered_idx" ON "deliveries"("workspace_id", "subscription_id", "delivery_id") WHERE "status" = 'delivered';
CREATE INDEX "deliveries_failed_idx" ON "deliveries"("workspace_id", "subscription_id", "delivery_id") WHERE "status" = 'failed';
CREATE INDEX "deliveries_cancelled_idx" ON "deliveries"("workspace_id", "subscription_id", "delivery_id") WHERE "status" = 'cancelled';

-- Rows of these tables come and go: leave room to update them in place, and clean up by count, not by share.
ALTER TABLE "due_deliveries" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
ALTER TABLE "endpoint_queues" SET (fillfactor = 50);
ALTER TABLE "endpoint_health" SET (fillfactor = 50);

-- What is to be reported is found without a look at the rest.
CREATE INDEX "endpoint_health_unreported_idx" ON "endpoint_health"("workspace_id", "subscription_id") WHERE "unreported";
