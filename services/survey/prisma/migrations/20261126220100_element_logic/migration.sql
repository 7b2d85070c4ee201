-- AlterTable
ALTER TABLE "elements" ADD COLUMN     "logic" JSONB;

-- AlterTable
ALTER TABLE "pages" ADD COLUMN     "show_if" JSONB;

-- The digest of what has no logic stays, since versions have it in theirs.
ALTER TABLE "elements" DROP COLUMN "digest", ADD COLUMN "digest" TEXT GENERATED ALWAYS AS (md5(
  "element_id" || ' ' || "question_id" || ' ' || "type"::text || ' ' || quote_nullable("question_text")
  || quote_nullable("help_text") || "type_settings"::text || "response_validation"::text || coalesce("choices"::text, '-')
  || coalesce("rows"::text, '-') || coalesce("columns"::text, '-') || coalesce(' ' || "name", '')
  || coalesce(' ' || "logic"::text, '')
)) STORED;

ALTER TABLE "pages" DROP COLUMN "digest", ADD COLUMN "digest" TEXT GENERATED ALWAYS AS (md5(
  "page_id" || quote_nullable("title") || coalesce("loop"::text, '-') || "skip_logic"::text
  || coalesce(' ' || "show_if"::text, '')
)) STORED;
