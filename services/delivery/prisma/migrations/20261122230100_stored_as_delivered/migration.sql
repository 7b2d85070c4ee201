-- Every first delivery is now stored as delivered from the beginning, and is pending while it has a due row. So delivered ones are
-- listed by the attempts that succeeded: by their status, a list would pass over a queue. Processes of the version before do that
-- meanwhile, by the primary key.
CREATE INDEX "attempts_success_idx" ON "attempts"("workspace_id", "subscription_id", "delivery_id") WHERE "outcome" = 'success';
DROP INDEX "deliveries_delivered_idx";

-- A row is leased, which moves it, then marked: a page keeps room for both, next to the row.
ALTER TABLE "due_deliveries" SET (fillfactor = 30);
