-- Why an attempt met no endpoint that speaks HTTP.
ALTER TABLE "attempts" ADD COLUMN "reason" TEXT;
