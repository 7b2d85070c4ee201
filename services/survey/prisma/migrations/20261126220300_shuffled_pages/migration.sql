-- AlterTable
ALTER TABLE "pages" ADD COLUMN     "shuffle" BOOLEAN NOT NULL DEFAULT false;

-- The digest of a page that is not shuffled stays, since versions have it in theirs.
ALTER TABLE "pages" DROP COLUMN "digest", ADD COLUMN "digest" TEXT GENERATED ALWAYS AS (md5(
  "page_id" || quote_nullable("title") || coalesce("loop"::text, '-') || "skip_logic"::text
  || coalesce(' ' || "show_if"::text, '')
  || CASE WHEN "shuffle" THEN ' shuffle' ELSE '' END
)) STORED;
