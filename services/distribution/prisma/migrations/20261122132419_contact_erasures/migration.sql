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
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_id" TEXT,

    CONSTRAINT "poison_events_pkey" PRIMARY KEY ("workspace_id","consumer","event_id")
);

-- CreateIndex
CREATE INDEX "consumed_events_consumed_at_idx" ON "consumed_events"("consumed_at");

-- CreateIndex
CREATE INDEX "poison_events_consumer_due_at_idx" ON "poison_events"("consumer", "due_at");
