-- CreateTable
CREATE TABLE "surveys" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "type" SMALLINT NOT NULL,
    "active" BOOLEAN NOT NULL,
    "owner_account_id" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "revision" INTEGER NOT NULL,
    "question_count" INTEGER NOT NULL,
    "published_version" INTEGER NOT NULL,
    "published_version_id" TEXT,
    "draft_changed" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "surveys_pkey" PRIMARY KEY ("workspace_id","survey_id")
);

-- CreateTable
CREATE TABLE "response_counts" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "response_count" BIGINT NOT NULL,

    CONSTRAINT "response_counts_pkey" PRIMARY KEY ("workspace_id","survey_id")
);

-- CreateTable
CREATE TABLE "pages" (
    "workspace_id" TEXT NOT NULL,
    "page_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "sort_order" INTEGER NOT NULL,
    "title" TEXT,
    "loop" JSONB,
    "skip_logic" JSONB NOT NULL,

    CONSTRAINT "pages_pkey" PRIMARY KEY ("workspace_id","page_id")
);

-- CreateTable
CREATE TABLE "elements" (
    "workspace_id" TEXT NOT NULL,
    "element_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "page_id" TEXT NOT NULL,
    "question_id" TEXT NOT NULL,
    "sort_order" INTEGER NOT NULL,
    "type" SMALLINT NOT NULL,
    "question_text" TEXT,
    "help_text" TEXT,
    "type_settings" JSONB NOT NULL,
    "response_validation" JSONB NOT NULL,
    "choices" JSONB,
    "rows" JSONB,
    "columns" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "elements_pkey" PRIMARY KEY ("workspace_id","element_id")
);

-- CreateTable
CREATE TABLE "versions" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "version_id" TEXT NOT NULL,
    "version_number" INTEGER NOT NULL,
    "definition" JSONB NOT NULL,
    "question_count" INTEGER NOT NULL,
    "note" TEXT NOT NULL,
    "published_by" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "versions_pkey" PRIMARY KEY ("workspace_id","survey_id","version_id")
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

-- CreateTable
CREATE TABLE "consumed_events" (
    "workspace_id" TEXT NOT NULL,
    "consumer" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "consumed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "consumed_events_pkey" PRIMARY KEY ("workspace_id","consumer","event_id")
);

-- CreateTable
CREATE TABLE "poison_events" (
    "workspace_id" TEXT NOT NULL,
    "consumer" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "payload" BYTEA NOT NULL,
    "error" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "failed_at" TIMESTAMPTZ(3) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "poison_events_pkey" PRIMARY KEY ("workspace_id","consumer","event_id")
);

-- CreateIndex
CREATE INDEX "surveys_workspace_id_created_at_survey_id_active_name_key_idx" ON "surveys"("workspace_id", "created_at", "survey_id", "active", "name_key");

-- CreateIndex
CREATE INDEX "surveys_workspace_id_updated_at_survey_id_active_name_key_idx" ON "surveys"("workspace_id", "updated_at", "survey_id", "active", "name_key");

-- CreateIndex
CREATE INDEX "surveys_workspace_id_name_key_survey_id_active_idx" ON "surveys"("workspace_id", "name_key", "survey_id", "active");

-- CreateIndex
CREATE INDEX "pages_workspace_id_survey_id_sort_order_idx" ON "pages"("workspace_id", "survey_id", "sort_order");

-- CreateIndex
CREATE INDEX "elements_workspace_id_survey_id_page_id_sort_order_idx" ON "elements"("workspace_id", "survey_id", "page_id", "sort_order");

-- CreateIndex
CREATE UNIQUE INDEX "elements_workspace_id_question_id_key" ON "elements"("workspace_id", "question_id");

-- CreateIndex
CREATE UNIQUE INDEX "versions_workspace_id_survey_id_version_number_key" ON "versions"("workspace_id", "survey_id", "version_number");

-- CreateIndex
CREATE INDEX "idempotency_records_expires_at_idx" ON "idempotency_records"("expires_at");

-- CreateIndex
CREATE INDEX "outbox_events_published_at_occurred_at_idx" ON "outbox_events"("published_at", "occurred_at");

-- CreateIndex
CREATE INDEX "consumed_events_consumed_at_idx" ON "consumed_events"("consumed_at");

-- CreateIndex
CREATE INDEX "poison_events_consumer_next_attempt_at_idx" ON "poison_events"("consumer", "next_attempt_at");

-- AddForeignKey
ALTER TABLE "response_counts" ADD CONSTRAINT "response_counts_workspace_id_survey_id_fkey" FOREIGN KEY ("workspace_id", "survey_id") REFERENCES "surveys"("workspace_id", "survey_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pages" ADD CONSTRAINT "pages_workspace_id_survey_id_fkey" FOREIGN KEY ("workspace_id", "survey_id") REFERENCES "surveys"("workspace_id", "survey_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "elements" ADD CONSTRAINT "elements_workspace_id_survey_id_fkey" FOREIGN KEY ("workspace_id", "survey_id") REFERENCES "surveys"("workspace_id", "survey_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "elements" ADD CONSTRAINT "elements_workspace_id_page_id_fkey" FOREIGN KEY ("workspace_id", "page_id") REFERENCES "pages"("workspace_id", "page_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "versions" ADD CONSTRAINT "versions_workspace_id_survey_id_fkey" FOREIGN KEY ("workspace_id", "survey_id") REFERENCES "surveys"("workspace_id", "survey_id") ON DELETE CASCADE ON UPDATE CASCADE;
