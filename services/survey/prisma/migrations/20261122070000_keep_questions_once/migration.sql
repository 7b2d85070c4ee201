-- Versions and backups share their questions: each is kept once for every content it had. Processes of the version before
-- fail to read versions and backups until they are replaced, and change nothing.
-- CreateTable
CREATE TABLE "kept_questions" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "element_id" TEXT NOT NULL,
    "question" JSONB NOT NULL,
    "bytes" INTEGER NOT NULL,
    "published" BOOLEAN NOT NULL,

    CONSTRAINT "kept_questions_pkey" PRIMARY KEY ("workspace_id","survey_id","digest")
);

-- AddForeignKey
ALTER TABLE "kept_questions" ADD CONSTRAINT "kept_questions_workspace_id_survey_id_fkey" FOREIGN KEY ("workspace_id", "survey_id") REFERENCES "surveys"("workspace_id", "survey_id") ON DELETE CASCADE ON UPDATE CASCADE;

INSERT INTO "kept_questions" ("workspace_id", "survey_id", "digest", "element_id", "question", "bytes", "published")
SELECT "workspace_id", "survey_id", "digest", min("question" ->> 'elementId'), "question", octet_length("question"::text),
  bool_or("published")
FROM (
  SELECT d."workspace_id", d."survey_id", d."published", q."question",
    encode(substr(sha256(convert_to(q."question"::text, 'UTF8')), 1, 16), 'hex') AS "digest"
  FROM (
    SELECT "workspace_id", "survey_id", "definition", true AS "published" FROM "versions"
    UNION ALL
    SELECT "workspace_id", "survey_id", "definition", false FROM "backups"
  ) AS d, jsonb_path_query(d."definition", '$.pages[*].elements[*]') AS q ("question")
) AS q
GROUP BY "workspace_id", "survey_id", "digest", "question";

-- AlterTable
ALTER TABLE "versions" ADD COLUMN     "layout" JSONB;
ALTER TABLE "backups" ADD COLUMN     "layout" JSONB;

-- Emptied, too: a dropped column keeps its room.
ALTER TABLE "versions" ALTER COLUMN "definition" DROP NOT NULL;
ALTER TABLE "backups" ALTER COLUMN "definition" DROP NOT NULL;
UPDATE "versions" SET "layout" = (
  SELECT jsonb_build_object('pages', coalesce(jsonb_agg(p."page" || jsonb_build_object('elements', (
    SELECT coalesce(jsonb_agg(encode(substr(sha256(convert_to(q."question"::text, 'UTF8')), 1, 16), 'hex') ORDER BY q."at"), '[]')
    FROM jsonb_array_elements(p."page" -> 'elements') WITH ORDINALITY AS q ("question", "at")
  )) ORDER BY p."at"), '[]'))
  FROM jsonb_array_elements("definition" -> 'pages') WITH ORDINALITY AS p ("page", "at")
), "definition" = NULL;
UPDATE "backups" SET "layout" = (
  SELECT jsonb_build_object('pages', coalesce(jsonb_agg(p."page" || jsonb_build_object('elements', (
    SELECT coalesce(jsonb_agg(encode(substr(sha256(convert_to(q."question"::text, 'UTF8')), 1, 16), 'hex') ORDER BY q."at"), '[]')
    FROM jsonb_array_elements(p."page" -> 'elements') WITH ORDINALITY AS q ("question", "at")
  )) ORDER BY p."at"), '[]'))
  FROM jsonb_array_elements("definition" -> 'pages') WITH ORDINALITY AS p ("page", "at")
), "definition" = NULL;

ALTER TABLE "versions" DROP COLUMN "definition", ALTER COLUMN "layout" SET NOT NULL;
ALTER TABLE "backups" DROP COLUMN "definition", ALTER COLUMN "layout" SET NOT NULL;
