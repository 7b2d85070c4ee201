-- AlterTable
ALTER TABLE "surveys" ADD COLUMN     "quotas" JSONB NOT NULL DEFAULT '[]';
