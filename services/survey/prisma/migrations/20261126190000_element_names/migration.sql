-- AlterTable
ALTER TABLE "elements" ADD COLUMN     "name" TEXT;

-- The digest of an element without a name stays, since versions have it in theirs.
ALTER TABLE "elements" DROP COLUMN "digest", ADD COLUMN "digest" TEXT GENERATED ALWAYS AS (md5(
  "element_id" || ' ' || "question_id" || ' ' || "type"::text || ' ' || quote_nullable("question_text")
  || quote_nullable("help_text") || "type_settings"::text || "response_validation"::text || coalesce("choices"::text, '-')
  || coalesce("rows"::text, '-') || coalesce("columns"::text, '-') || coalesce(' ' || "name", '')
)) STORED;
