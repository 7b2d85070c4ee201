-- AlterTable
ALTER TABLE "pages" ADD COLUMN     "block" TEXT;

-- The digest of a page of no block stays, since versions have it in theirs.
ALTER TABLE "pages" DROP COLUMN "digest", ADD COLUMN "digest" TEXT GENERATED ALWAYS AS (md5(
  "page_id" || quote_nullable("title") || coalesce("loop"::text, '-') || "skip_logic"::text
  || coalesce(' ' || "show_if"::text, '')
  || CASE WHEN "shuffle" THEN ' shuffle' ELSE '' END
  || coalesce(' block ' || "block", '')
)) STORED;
