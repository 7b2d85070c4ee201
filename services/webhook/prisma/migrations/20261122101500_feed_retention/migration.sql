-- The time of the last event: those of later ones are never earlier, so that the purge takes a feed from its beginning.
ALTER TABLE "feed_counters" ADD COLUMN "stored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT '1970-01-01T00:00:00Z';

ALTER TABLE "plan_changes" ADD COLUMN "ended_at" TIMESTAMPTZ(3);
UPDATE "plan_changes" c SET "ended_at" = (
  SELECT min(later."changed_at") FROM "plan_changes" later
  WHERE later."workspace_id" = c."workspace_id" AND later."changed_at" > c."changed_at");

-- CreateIndex
CREATE INDEX "plan_changes_ended_at_idx" ON "plan_changes"("ended_at");
