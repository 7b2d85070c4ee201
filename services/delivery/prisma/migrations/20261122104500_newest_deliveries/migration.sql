-- Told by the row itself: a look at the event's others costs a plan that depends on what is known of the table.
ALTER TABLE "deliveries" ADD COLUMN "is_newest" BOOLEAN NOT NULL DEFAULT true;
UPDATE "deliveries" x SET "is_newest" = false FROM "deliveries" later
WHERE later."sequence" > 0 AND x."workspace_id" = later."workspace_id" AND x."event_id" = later."event_id"
  AND x."subscription_id" = later."subscription_id" AND x."sequence" < later."sequence";
