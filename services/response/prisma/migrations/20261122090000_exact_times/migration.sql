-- AlterTable
ALTER TABLE "respondents" ADD COLUMN     "answer_weight" INTEGER,
ADD COLUMN     "exact_seen_at" TIMESTAMPTZ(3),
ADD COLUMN     "exact_started_at" TIMESTAMPTZ(3);

-- Anonymous respondents of whom a moment is kept, by that moment: of whom processes before this migration left one in
-- started_at, too. The purge of exact times (storage/exact-times.ts) reads nothing else.
CREATE INDEX "respondents_exact_times" ON "respondents" ((coalesce("exact_seen_at", "started_at")))
WHERE "is_anonymous" AND ("exact_seen_at" IS NOT NULL OR "started_at" AT TIME ZONE 'UTC' <> date_trunc('day', "started_at" AT TIME ZONE 'UTC'));
