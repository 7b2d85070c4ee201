ALTER TABLE "collecting_surveys" ADD COLUMN     "held_until" TIMESTAMPTZ(3);
