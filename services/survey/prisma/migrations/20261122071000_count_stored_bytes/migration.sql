-- What the surveys of a workspace hold together, counted by every write.
-- AlterTable
ALTER TABLE "retired_elements" ADD COLUMN     "bytes" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "surveys" ADD COLUMN     "kept_bytes" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "stored_bytes" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "workspace_storage" (
    "workspace_id" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "workspace_storage_pkey" PRIMARY KEY ("workspace_id")
);

UPDATE "retired_elements" SET "bytes" = octet_length("question"::text);

UPDATE "surveys" s SET "kept_bytes" =
  (SELECT coalesce(sum(k."bytes"), 0) FROM "kept_questions" k
    WHERE (k."workspace_id", k."survey_id") = (s."workspace_id", s."survey_id"))
  + (SELECT coalesce(sum(octet_length(v."layout"::text)), 0) FROM "versions" v
    WHERE (v."workspace_id", v."survey_id") = (s."workspace_id", s."survey_id"))
  + (SELECT coalesce(sum(octet_length(b."layout"::text)), 0) FROM "backups" b
    WHERE (b."workspace_id", b."survey_id") = (s."workspace_id", s."survey_id"));

UPDATE "surveys" s SET "stored_bytes" = s."kept_bytes"
  + octet_length(s."name") + octet_length(s."description") + octet_length(s."settings"::text)
  + (SELECT coalesce(sum(e."bytes"), 0) FROM "elements" e
    WHERE (e."workspace_id", e."survey_id") = (s."workspace_id", s."survey_id"))
  + (SELECT coalesce(sum(octet_length(coalesce(p."title", '')) + octet_length(coalesce(p."loop"::text, ''))
      + octet_length(p."skip_logic"::text)), 0) FROM "pages" p
    WHERE (p."workspace_id", p."survey_id") = (s."workspace_id", s."survey_id"))
  + (SELECT coalesce(sum(r."bytes"), 0) FROM "retired_elements" r
    WHERE (r."workspace_id", r."survey_id") = (s."workspace_id", s."survey_id"));

INSERT INTO "workspace_storage" ("workspace_id", "bytes")
SELECT "workspace_id", sum("stored_bytes") FROM "surveys" GROUP BY "workspace_id";
