-- AlterTable
ALTER TABLE "respondents" ADD COLUMN     "external_id" TEXT,
ADD COLUMN     "is_imported" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "response_imports" (
    "workspace_id" TEXT NOT NULL,
    "import_id" TEXT NOT NULL,
    "survey_id" TEXT NOT NULL,
    "version_id" TEXT NOT NULL,
    "version_number" INTEGER NOT NULL,
    "is_test" BOOLEAN NOT NULL,
    "time_zone" TEXT NOT NULL,
    "headings" JSONB NOT NULL,
    "total" INTEGER NOT NULL,
    "imported" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "violations" INTEGER NOT NULL DEFAULT 0,
    "errors" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "response_imports_pkey" PRIMARY KEY ("workspace_id","import_id")
);

-- CreateTable
CREATE TABLE "staged_rows" (
    "workspace_id" TEXT NOT NULL,
    "import_id" TEXT NOT NULL,
    "first_row" INTEGER NOT NULL,
    "rows" JSONB NOT NULL,
    "staged_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "staged_rows_pkey" PRIMARY KEY ("workspace_id","import_id","first_row")
);

-- CreateIndex
CREATE INDEX "response_imports_created_at_idx" ON "response_imports"("created_at");

-- CreateIndex
CREATE INDEX "staged_rows_staged_at_idx" ON "staged_rows"("staged_at");
