-- The pending ones of a webhook are listed by these keys, newest first.
ALTER TABLE "due_deliveries" DROP CONSTRAINT "due_deliveries_pkey",
ADD CONSTRAINT "due_deliveries_pkey" PRIMARY KEY ("workspace_id", "subscription_id", "delivery_id");

DROP INDEX "deliveries_pending_idx";
