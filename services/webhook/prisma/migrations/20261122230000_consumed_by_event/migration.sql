-- An event's id begins with its time, so the purge reads this key from its beginning, and needs no index by time. Its entries are
-- added at its end. Purges of the version before read the whole table meanwhile.
ALTER TABLE "consumed_events" DROP CONSTRAINT "consumed_events_pkey",
ADD CONSTRAINT "consumed_events_pkey" PRIMARY KEY ("event_id", "workspace_id", "consumer");

-- DropIndex
DROP INDEX "consumed_events_consumed_at_idx";
