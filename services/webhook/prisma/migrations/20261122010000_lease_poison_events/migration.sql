-- Poison events are leased like every other queue. Processes of the version before fail to look for poison meanwhile, and
-- find it again afterwards.
ALTER TABLE "poison_events" RENAME COLUMN "next_attempt_at" TO "due_at";
ALTER TABLE "poison_events" ADD COLUMN "lease_id" TEXT;
ALTER INDEX "poison_events_consumer_next_attempt_at_idx" RENAME TO "poison_events_consumer_due_at_idx";
