-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "active_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "destination_revision" INTEGER NOT NULL DEFAULT 1;

-- Nothing was resumed or moved until now.
UPDATE "subscriptions" SET "active_since" = "created_at";

-- CreateTable
CREATE TABLE "secrets_keys" (
    "key_id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "secrets_keys_pkey" PRIMARY KEY ("key_id")
);

-- CreateIndex
CREATE INDEX "subscription_secrets_expires_at_idx" ON "subscription_secrets"("expires_at");
