ALTER TABLE "survey_counters" ADD COLUMN "test_answers" BIGINT NOT NULL DEFAULT 0;

-- Lists show the answers of tests, so their totals have to count them.
INSERT INTO "survey_counters" AS c ("workspace_id", "survey_id", "shard", "test_answers")
SELECT s."workspace_id", s."survey_id", 0, sum((SELECT count(*) FROM jsonb_object_keys(s."answers")))
FROM "answer_sets" s JOIN "respondents" r USING ("workspace_id", "respondent_id")
WHERE r."is_test"
GROUP BY s."workspace_id", s."survey_id"
ON CONFLICT ("workspace_id", "survey_id", "shard") DO UPDATE SET "test_answers" = excluded."test_answers";
