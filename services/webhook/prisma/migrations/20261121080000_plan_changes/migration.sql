-- CreateTable
CREATE TABLE "plan_changes" (
    "workspace_id" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "has_webhooks" BOOLEAN NOT NULL,

    CONSTRAINT "plan_changes_pkey" PRIMARY KEY ("workspace_id","changed_at")
);
