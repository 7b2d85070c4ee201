-- CreateTable
CREATE TABLE "distributor_counters" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "distributor_id" TEXT NOT NULL,
    "shard" SMALLINT NOT NULL,
    "started" BIGINT NOT NULL DEFAULT 0,
    "completed" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "distributor_counters_pkey" PRIMARY KEY ("workspace_id","distributor_id","survey_id","shard")
);

-- CreateTable
CREATE TABLE "used_links" (
    "workspace_id" TEXT NOT NULL,
    "link_id" TEXT NOT NULL,
    "respondent_id" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,
    "is_anonymous" BOOLEAN NOT NULL,

    CONSTRAINT "used_links_pkey" PRIMARY KEY ("workspace_id","link_id")
);

-- CreateIndex
CREATE INDEX "used_links_workspace_id_respondent_id_idx" ON "used_links"("workspace_id", "respondent_id");

-- Counted in place, as the other counters are.
ALTER TABLE "distributor_counters" SET (fillfactor = 50);

INSERT INTO "distributor_counters" ("workspace_id", "survey_id", "distributor_id", "shard", "started", "completed")
SELECT "workspace_id", "survey_id", "distributor_id", 0, count(*), count("completed_at")
FROM "respondents" WHERE NOT "is_test" AND "distributor_id" <> '' GROUP BY 1, 2, 3;
