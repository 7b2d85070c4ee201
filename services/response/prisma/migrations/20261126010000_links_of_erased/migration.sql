-- AlterTable
ALTER TABLE "used_links" ADD COLUMN     "is_erased" BOOLEAN NOT NULL DEFAULT false;
