-- CreateTable
CREATE TABLE "subscriptions" (
    "workspace_id" TEXT NOT NULL,
    "subscription_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "url" TEXT,
    "url_sha256" TEXT,
    "event_types" TEXT[],
    "status" TEXT NOT NULL,
    "status_reason" TEXT NOT NULL DEFAULT '',
    "revision" INTEGER NOT NULL,
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "last_success_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("workspace_id","subscription_id")
);

-- CreateTable
CREATE TABLE "subscription_secrets" (
    "workspace_id" TEXT NOT NULL,
    "subscription_id" TEXT NOT NULL,
    "secret_id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "subscription_secrets_pkey" PRIMARY KEY ("workspace_id","subscription_id","secret_id")
);

-- CreateTable
CREATE TABLE "listening_intervals" (
    "workspace_id" TEXT NOT NULL,
    "interval_id" TEXT NOT NULL,
    "subscription_id" TEXT NOT NULL,
    "event_types" TEXT[],
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "listening_intervals_pkey" PRIMARY KEY ("workspace_id","interval_id")
);

-- CreateTable
CREATE TABLE "feed_counters" (
    "workspace_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,

    CONSTRAINT "feed_counters_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "feed_events" (
    "workspace_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "event_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "timestamp" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_events_pkey" PRIMARY KEY ("workspace_id","position")
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
CREATE UNIQUE INDEX "subscriptions_workspace_id_url_sha256_key" ON "subscriptions"("workspace_id", "url_sha256");

-- CreateIndex
CREATE INDEX "listening_intervals_workspace_id_subscription_id_idx" ON "listening_intervals"("workspace_id", "subscription_id");

-- CreateIndex
CREATE INDEX "listening_intervals_ended_at_idx" ON "listening_intervals"("ended_at");

-- CreateIndex
CREATE INDEX "feed_events_stored_at_idx" ON "feed_events"("stored_at");

-- CreateIndex
CREATE UNIQUE INDEX "feed_events_workspace_id_event_id_key" ON "feed_events"("workspace_id", "event_id");

-- CreateIndex
CREATE INDEX "idempotency_records_expires_at_idx" ON "idempotency_records"("expires_at");

-- CreateIndex
CREATE INDEX "outbox_events_published_at_occurred_at_idx" ON "outbox_events"("published_at", "occurred_at");

-- CreateIndex
CREATE INDEX "consumed_events_consumed_at_idx" ON "consumed_events"("consumed_at");

-- CreateIndex
CREATE INDEX "poison_events_consumer_next_attempt_at_idx" ON "poison_events"("consumer", "next_attempt_at");

-- AddForeignKey
ALTER TABLE "subscription_secrets" ADD CONSTRAINT "subscription_secrets_workspace_id_subscription_id_fkey" FOREIGN KEY ("workspace_id", "subscription_id") REFERENCES "subscriptions"("workspace_id", "subscription_id") ON DELETE CASCADE ON UPDATE CASCADE;
