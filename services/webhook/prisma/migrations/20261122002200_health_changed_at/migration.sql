ALTER TABLE "subscriptions" ADD COLUMN "health_changed_at" TIMESTAMPTZ(3);
