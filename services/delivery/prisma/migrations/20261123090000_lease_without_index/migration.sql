-- A lease changes due_at, which stands in no index: the new row lies beside the old one and no index learns of it. Claims walk
-- over what is leased, which is little. Workers of the version before sort a webhook's rows meanwhile.
DROP INDEX "due_deliveries_due_idx";
CREATE INDEX "due_deliveries_scheduled_idx" ON "due_deliveries"("workspace_id", "subscription_id", "scheduled_at") WHERE "attempts" >= 0;
