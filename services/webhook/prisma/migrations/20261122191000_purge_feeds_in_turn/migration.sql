-- The purge takes feeds in turn, each from its beginning, so events need no index by time. Feeds of which nothing is known are looked at.
ALTER TABLE "feed_counters" ADD COLUMN "oldest_at" TIMESTAMPTZ(3) NOT NULL DEFAULT '1970-01-01T00:00:00Z';

-- CreateIndex
CREATE INDEX "feed_counters_oldest_at_idx" ON "feed_counters"("oldest_at");

-- DropIndex
DROP INDEX "feed_events_stored_at_idx";
