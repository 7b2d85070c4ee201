-- CreateTable
CREATE TABLE "respondents" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "respondent_id" TEXT NOT NULL,
    "version_id" TEXT NOT NULL,
    "version_number" INTEGER NOT NULL,
    "is_test" BOOLEAN NOT NULL,
    "is_anonymous" BOOLEAN NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),
    "page_id" TEXT NOT NULL DEFAULT '',
    "language" TEXT NOT NULL DEFAULT '',
    "distributor_id" TEXT NOT NULL DEFAULT '',
    "contact_id" TEXT NOT NULL DEFAULT '',
    "metadata" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "respondents_pkey" PRIMARY KEY ("workspace_id","respondent_id")
);

-- CreateTable
CREATE TABLE "answers" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "respondent_id" TEXT NOT NULL,
    "answer_key" TEXT NOT NULL,
    "answer_id" TEXT NOT NULL,
    "element_id" TEXT NOT NULL,
    "question_id" TEXT NOT NULL,
    "type" SMALLINT NOT NULL,
    "value" JSONB NOT NULL,
    "meta" JSONB,
    "number_value" DOUBLE PRECISION,
    "version_number" INTEGER NOT NULL,
    "is_test" BOOLEAN NOT NULL,
    "submitted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "answers_pkey" PRIMARY KEY ("workspace_id","respondent_id","answer_key")
);

-- CreateTable
CREATE TABLE "known_questions" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "question_id" TEXT NOT NULL,
    "version_number" INTEGER NOT NULL,
    "question" JSONB NOT NULL,

    CONSTRAINT "known_questions_pkey" PRIMARY KEY ("workspace_id","survey_id","question_id")
);

-- CreateTable
CREATE TABLE "survey_counters" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "shard" SMALLINT NOT NULL,
    "started" BIGINT NOT NULL DEFAULT 0,
    "completed" BIGINT NOT NULL DEFAULT 0,
    "completion_milliseconds" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "survey_counters_pkey" PRIMARY KEY ("workspace_id","survey_id","shard")
);

-- CreateTable
CREATE TABLE "completion_slots" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "shard" SMALLINT NOT NULL,
    "completions" BIGINT NOT NULL,

    CONSTRAINT "completion_slots_pkey" PRIMARY KEY ("workspace_id","survey_id","starts_at","shard")
);

-- CreateTable
CREATE TABLE "question_counters" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "question_id" TEXT NOT NULL,
    "shard" SMALLINT NOT NULL,
    "responses" BIGINT NOT NULL,
    "respondents" BIGINT NOT NULL,
    "sum" DECIMAL(60,0) NOT NULL,

    CONSTRAINT "question_counters_pkey" PRIMARY KEY ("workspace_id","survey_id","question_id","shard")
);

-- CreateTable
CREATE TABLE "bucket_counters" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "question_id" TEXT NOT NULL,
    "bucket" TEXT NOT NULL,
    "shard" SMALLINT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "bucket_counters_pkey" PRIMARY KEY ("workspace_id","survey_id","question_id","bucket","shard")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "workspace_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_sha256" BYTEA NOT NULL,
    "response" BYTEA NOT NULL,
    "request_id" TEXT NOT NULL,
    "answered_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("workspace_id","scope","key")
);

-- CreateTable
CREATE TABLE "outbox_events" (
    "event_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "payload" BYTEA NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "awaiting" TEXT[],
    "published_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_events_pkey" PRIMARY KEY ("event_id")
);

-- CreateIndex
CREATE INDEX "answers_workspace_id_survey_id_submitted_at_answer_id_idx" ON "answers"("workspace_id", "survey_id", "submitted_at", "answer_id");

-- CreateIndex
CREATE INDEX "idempotency_records_expires_at_idx" ON "idempotency_records"("expires_at");

-- CreateIndex
CREATE INDEX "outbox_events_published_at_occurred_at_idx" ON "outbox_events"("published_at", "occurred_at");

-- Both ends of this index are a question's smallest and largest answer. Partial, so that other answers do not pay for it.
CREATE INDEX "answers_numbers_idx" ON "answers"("workspace_id", "survey_id", "question_id", "number_value")
  WHERE "number_value" IS NOT NULL AND NOT "is_test";

-- Rows that every page save updates in place: room on their pages keeps those updates off the indexes (HOT).
ALTER TABLE "respondents" SET (fillfactor = 85);
ALTER TABLE "survey_counters" SET (fillfactor = 50);
ALTER TABLE "question_counters" SET (fillfactor = 50);
ALTER TABLE "bucket_counters" SET (fillfactor = 50);
