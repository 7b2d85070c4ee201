-- CreateTable
CREATE TABLE "document_keys" (
    "workspace_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,

    CONSTRAINT "document_keys_pkey" PRIMARY KEY ("workspace_id","survey_id","id")
);

-- AddForeignKey
ALTER TABLE "document_keys" ADD CONSTRAINT "document_keys_workspace_id_survey_id_fkey" FOREIGN KEY ("workspace_id", "survey_id") REFERENCES "surveys"("workspace_id", "survey_id") ON DELETE CASCADE ON UPDATE CASCADE;
