-- CreateTable
CREATE TABLE "mails" (
    "workspace_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "template" TEXT NOT NULL,
    "to_name" TEXT NOT NULL,
    "to_address" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "html" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "lease_id" TEXT,
    "settled_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "mails_pkey" PRIMARY KEY ("workspace_id","event_id","person_id")
);

-- CreateTable
CREATE TABLE "consumed_events" (
    "workspace_id" TEXT NOT NULL,
    "consumer" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "consumed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "consumed_events_pkey" PRIMARY KEY ("workspace_id","consumer","event_id")
);

-- CreateIndex
CREATE INDEX "mails_due_at_idx" ON "mails"("due_at");

-- CreateIndex
CREATE INDEX "mails_state_settled_at_idx" ON "mails"("state", "settled_at");

-- CreateIndex
CREATE INDEX "consumed_events_consumed_at_idx" ON "consumed_events"("consumed_at");

-- A mail waits for a worker exactly while it has a time to be tried at.
ALTER TABLE "mails" ADD CONSTRAINT "mails_state_check" CHECK (
    "state" IN ('waiting', 'sent', 'failed')
    AND ("state" = 'waiting') = ("due_at" IS NOT NULL)
    AND ("state" = 'waiting') = ("settled_at" IS NULL)
);
