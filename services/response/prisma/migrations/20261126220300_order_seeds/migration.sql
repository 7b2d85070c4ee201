-- AlterTable
ALTER TABLE "respondents" ADD COLUMN     "order_seed" INTEGER;
