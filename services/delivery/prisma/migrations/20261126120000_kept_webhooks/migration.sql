-- Which webhooks listen to what, and where: pushed by the webhook service.
CREATE TABLE "known_workspaces" (
    "workspace_id" TEXT NOT NULL,
    "changes" BIGINT NOT NULL DEFAULT 0,
    "is_known" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "known_workspaces_pkey" PRIMARY KEY ("workspace_id")
);

CREATE TABLE "webhooks" (
    "workspace_id" TEXT NOT NULL,
    "subscription_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "status" TEXT NOT NULL,
    "status_reason" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "sealed_secret" BYTEA NOT NULL,
    "sealed_former_secret" BYTEA NOT NULL,
    "former_until" TIMESTAMPTZ(3),
    "destination_revision" INTEGER NOT NULL,
    "active_since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("workspace_id","subscription_id")
);

CREATE INDEX "webhooks_deleted_idx" ON "webhooks"("changed_at") WHERE "status" = 'deleted';

CREATE TABLE "listening_intervals" (
    "workspace_id" TEXT NOT NULL,
    "interval_id" TEXT NOT NULL,
    "subscription_id" TEXT NOT NULL,
    "event_types" TEXT[],
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "listening_intervals_pkey" PRIMARY KEY ("workspace_id","interval_id")
);

CREATE INDEX "listening_intervals_ended_at_idx" ON "listening_intervals"("ended_at");

-- An event is matched without reading the intervals that ended before it.
CREATE INDEX "listening_intervals_ends" ON "listening_intervals" ("workspace_id", (coalesce("ended_at", 'infinity'::timestamptz)));

CREATE TABLE "plan_changes" (
    "workspace_id" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "has_webhooks" BOOLEAN NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "plan_changes_pkey" PRIMARY KEY ("workspace_id","changed_at")
);

CREATE INDEX "plan_changes_ended_at_idx" ON "plan_changes"("ended_at");
