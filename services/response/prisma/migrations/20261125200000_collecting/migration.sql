-- CreateTable
CREATE TABLE "collecting_surveys" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "revision" BIGINT NOT NULL,
    "active" BOOLEAN NOT NULL,
    "version_id" TEXT NOT NULL,
    "version_number" INTEGER NOT NULL,
    "settings" JSONB NOT NULL,
    "has_password" BOOLEAN NOT NULL,

    CONSTRAINT "collecting_surveys_pkey" PRIMARY KEY ("workspace_id","survey_id")
);

-- CreateTable
CREATE TABLE "collecting_links" (
    "workspace_id" TEXT NOT NULL,
    "distributor_id" TEXT NOT NULL,
    "revision" BIGINT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "code" TEXT,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "opens_at" TIMESTAMPTZ(3),
    "closes_at" TIMESTAMPTZ(3),
    "response_limit" BIGINT,
    "has_password" BOOLEAN NOT NULL,
    "time_zone" TEXT NOT NULL,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "held_until" TIMESTAMPTZ(3),

    CONSTRAINT "collecting_links_pkey" PRIMARY KEY ("workspace_id","distributor_id")
);

-- CreateTable
CREATE TABLE "gone_contacts" (
    "workspace_id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,

    CONSTRAINT "gone_contacts_pkey" PRIMARY KEY ("workspace_id","contact_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "collecting_links_code_key" ON "collecting_links"("code");
