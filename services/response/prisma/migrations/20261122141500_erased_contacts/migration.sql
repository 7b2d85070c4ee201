-- CreateTable
CREATE TABLE "erased_contacts" (
    "workspace_id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "erased_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "erased_contacts_pkey" PRIMARY KEY ("workspace_id","contact_id")
);

-- CreateIndex
CREATE INDEX "erased_contacts_erased_at_idx" ON "erased_contacts"("erased_at");
