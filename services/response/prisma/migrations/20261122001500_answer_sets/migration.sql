-- From one row per answer to one row per respondent and moment. Stop the response service first: a process of the former
-- version finds its table gone and stores nothing more; what it stored before is carried over.
LOCK TABLE "answers" IN ACCESS EXCLUSIVE MODE;

CREATE TABLE "answer_sets" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "respondent_id" TEXT NOT NULL,
    "part" SMALLINT NOT NULL,
    "submitted_at" TIMESTAMPTZ(3) NOT NULL,
    "answers" JSONB NOT NULL,
    "metas" JSONB
);

-- Which part an answer belongs to only its version tells; reading does not depend on it.
INSERT INTO "answer_sets" ("workspace_id", "survey_id", "respondent_id", "part", "submitted_at", "answers", "metas")
SELECT "workspace_id", "survey_id", "respondent_id", 0, "submitted_at", jsonb_object_agg("answer_key", "value"),
  jsonb_object_agg("answer_key", "meta") FILTER (WHERE jsonb_typeof("meta") = 'object')
FROM "answers"
GROUP BY "workspace_id", "survey_id", "respondent_id", "submitted_at"
ORDER BY "workspace_id", "survey_id", "submitted_at", "respondent_id";

ALTER TABLE "answer_sets"
    ADD CONSTRAINT "answer_sets_pkey" PRIMARY KEY ("workspace_id","respondent_id","part","submitted_at");
CREATE INDEX "answer_sets_workspace_id_survey_id_submitted_at_respondent__idx" ON "answer_sets"("workspace_id", "survey_id", "submitted_at", "respondent_id", "part");

CREATE TABLE "number_counters" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "question_id" TEXT NOT NULL,
    "number" DOUBLE PRECISION NOT NULL,
    "shard" SMALLINT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "number_counters_pkey" PRIMARY KEY ("workspace_id","survey_id","question_id","number","shard")
);

-- Numbers that many give are counted in place; those only one gave should not pay much for that room.
ALTER TABLE "number_counters" SET (fillfactor = 80);

INSERT INTO "number_counters" ("workspace_id", "survey_id", "question_id", "number", "shard", "count")
SELECT "workspace_id", "survey_id", "question_id", "number_value", 0, count(*)
FROM "answers" WHERE "number_value" IS NOT NULL AND NOT "is_test"
GROUP BY "workspace_id", "survey_id", "question_id", "number_value";

DROP TABLE "answers";
