-- CreateTable
CREATE TABLE "quota_counters" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "quota_id" TEXT NOT NULL,
    "shard" SMALLINT NOT NULL,
    "completed" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "quota_counters_pkey" PRIMARY KEY ("workspace_id","survey_id","quota_id","shard")
);

-- AlterTable
ALTER TABLE "respondents" ADD COLUMN "is_screened_out" BOOLEAN NOT NULL DEFAULT false;

-- As the other counters: their rows change in place.
ALTER TABLE "quota_counters" SET (fillfactor = 50);
