-- AlterTable
ALTER TABLE "respondents" ADD COLUMN     "country" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "start_days" (
    "workspace_id" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "country" TEXT NOT NULL,
    "shard" SMALLINT NOT NULL,
    "started" BIGINT NOT NULL,

    CONSTRAINT "start_days_pkey" PRIMARY KEY ("workspace_id","starts_at","country","shard")
);

-- CreateTable
CREATE TABLE "activity_slots" (
    "workspace_id" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "shard" SMALLINT NOT NULL,
    "respondents" BIGINT NOT NULL,

    CONSTRAINT "activity_slots_pkey" PRIMARY KEY ("workspace_id","starts_at","shard")
);

-- Counted in place, as the other counters are.
ALTER TABLE "start_days" SET (fillfactor = 50);
ALTER TABLE "activity_slots" SET (fillfactor = 50);

-- Which day of its workspace a respondent started on, this database does not know: by the quarter of an hour both its
-- day and every later one are told right.
INSERT INTO "start_days" ("workspace_id", "starts_at", "country", "shard", "started")
SELECT "workspace_id", date_bin('15 minutes', "started_at", '2000-01-01T00:00:00Z'), '', 0, count(*)
FROM "respondents" WHERE NOT "is_test" AND "started_at" > now() - interval '2 days' GROUP BY 1, 2;

INSERT INTO "activity_slots" ("workspace_id", "starts_at", "shard", "respondents")
SELECT "workspace_id", date_bin('15 seconds', "last_seen_at", '2000-01-01T00:00:00Z'), 0, count(*)
FROM "respondents" WHERE NOT "is_test" AND "completed_at" IS NULL AND "last_seen_at" > now() - interval '10 minutes' GROUP BY 1, 2;
