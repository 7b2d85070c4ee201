-- AlterTable
ALTER TABLE "surveys" ADD COLUMN     "translations" JSONB;

-- AlterTable
ALTER TABLE "versions" ADD COLUMN     "languages" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- A digest of their own, since versions have the digests of pages and elements in theirs. Reading megabytes at each
-- write of a survey to compare or count them would be slow.
ALTER TABLE "pages" ADD COLUMN "translations" JSONB,
ADD COLUMN "translations_digest" TEXT GENERATED ALWAYS AS (md5("translations"::text)) STORED,
ADD COLUMN "translations_bytes" INTEGER GENERATED ALWAYS AS (octet_length("translations"::text)) STORED;

ALTER TABLE "elements" ADD COLUMN "translations" JSONB,
ADD COLUMN "translations_digest" TEXT GENERATED ALWAYS AS (md5("translations"::text)) STORED,
ADD COLUMN "translations_bytes" INTEGER GENERATED ALWAYS AS (octet_length("translations"::text)) STORED;
