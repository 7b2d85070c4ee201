-- AlterTable
ALTER TABLE "answer_sets" ADD COLUMN     "off_path" TEXT[];
