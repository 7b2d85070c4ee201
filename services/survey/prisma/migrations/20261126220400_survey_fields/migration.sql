-- AlterTable
ALTER TABLE "surveys" ADD COLUMN     "fields" JSONB NOT NULL DEFAULT '[]';
