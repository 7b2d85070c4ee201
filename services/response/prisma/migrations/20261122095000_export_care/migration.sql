ALTER TABLE "exports" ADD COLUMN "warnings" JSONB NOT NULL DEFAULT '[]';

CREATE TABLE "download_links" (
    "workspace_id" TEXT NOT NULL,
    "link_id" TEXT NOT NULL,
    "export_id" TEXT NOT NULL,
    "made_by" JSONB NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "download_links_pkey" PRIMARY KEY ("workspace_id","link_id")
);

CREATE INDEX "download_links_expires_at_idx" ON "download_links"("expires_at");

CREATE TABLE "export_codes" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "question_id" TEXT NOT NULL,
    "type" INTEGER NOT NULL,
    "lists" JSONB NOT NULL,

    CONSTRAINT "export_codes_pkey" PRIMARY KEY ("workspace_id","survey_id","question_id","type")
);
