-- AlterTable
ALTER TABLE "contact_activities" ADD COLUMN     "distributor_id" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "issued_links" ADD COLUMN     "opened_at" TIMESTAMPTZ(3);
