-- The trace of the event, so that every attempt stands in it, whichever process makes it.
ALTER TABLE "deliveries" ADD COLUMN "traceparent" TEXT NOT NULL DEFAULT '';
