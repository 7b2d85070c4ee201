-- An entity tag for each element, and what is left of those that were answered and removed.
-- AlterTable
ALTER TABLE "elements" ADD COLUMN     "revision" INTEGER NOT NULL DEFAULT 1;

-- CreateTable
CREATE TABLE "retired_elements" (
    "workspace_id" TEXT NOT NULL,
    "element_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "question_id" TEXT NOT NULL,
    "retired_at" TIMESTAMPTZ(3) NOT NULL,
    "question" JSONB NOT NULL,

    CONSTRAINT "retired_elements_pkey" PRIMARY KEY ("workspace_id","element_id")
);

-- CreateIndex
CREATE INDEX "retired_elements_workspace_id_survey_id_idx" ON "retired_elements"("workspace_id", "survey_id");

-- AddForeignKey
ALTER TABLE "retired_elements" ADD CONSTRAINT "retired_elements_workspace_id_survey_id_fkey" FOREIGN KEY ("workspace_id", "survey_id") REFERENCES "surveys"("workspace_id", "survey_id") ON DELETE CASCADE ON UPDATE CASCADE;
