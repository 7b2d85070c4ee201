-- AlterTable
ALTER TABLE "respondents" ADD COLUMN     "fields" JSONB NOT NULL DEFAULT '{}';
