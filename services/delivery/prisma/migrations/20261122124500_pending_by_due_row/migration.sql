-- The pending ones of a webhook are listed by these keys, newest first.
ALTER TABLE "due_deliveries" DROP CONSTRAINT "due_deliveries_pkey",
ADD CONSTRAINT "due_deliveries_pkey" PRIMARY KEY ("workspace_id", "subscription_id", "delivery_id");

-- It holds every row. As a partial index it never tempts the planner away from the primary key, which begins the same: only
-- claims name its condition. Workers of the version before sort a webhook's rows meanwhile.
DROP INDEX "due_deliveries_workspace_id_subscription_id_due_at_idx";
CREATE INDEX "due_deliveries_due_idx" ON "due_deliveries"("workspace_id", "subscription_id", "due_at") WHERE "attempts" >= 0;

DROP INDEX "deliveries_pending_idx";
