-- AlterTable
ALTER TABLE "api_tokens" DROP COLUMN "last_used_at",
DROP COLUMN "last_used_ip";

-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "person_name" TEXT,
ADD COLUMN     "token_name" TEXT;

-- CreateTable
CREATE TABLE "token_uses" (
    "workspace_id" TEXT NOT NULL,
    "token_id" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,
    "client_address" TEXT,

    CONSTRAINT "token_uses_pkey" PRIMARY KEY ("workspace_id","token_id")
);

-- CreateTable
CREATE TABLE "poison_events" (
    "workspace_id" TEXT NOT NULL,
    "consumer" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "payload" BYTEA NOT NULL,
    "error" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "failed_at" TIMESTAMPTZ(3) NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "poison_events_pkey" PRIMARY KEY ("workspace_id","consumer","event_id")
);

-- CreateIndex
CREATE INDEX "poison_events_consumer_next_attempt_at_idx" ON "poison_events"("consumer", "next_attempt_at");

-- CreateIndex
CREATE INDEX "api_tokens_token_id_idx" ON "api_tokens"("token_id");

-- CreateIndex
CREATE INDEX "audit_entries_workspace_id_at_entry_id_idx" ON "audit_entries"("workspace_id", "at", "entry_id");

-- CreateIndex
CREATE INDEX "audit_entries_workspace_id_person_id_at_entry_id_idx" ON "audit_entries"("workspace_id", "person_id", "at", "entry_id");

-- CreateIndex
CREATE INDEX "audit_entries_workspace_id_token_id_at_entry_id_idx" ON "audit_entries"("workspace_id", "token_id", "at", "entry_id");

-- CreateIndex
CREATE INDEX "audit_entries_workspace_id_action_at_entry_id_idx" ON "audit_entries"("workspace_id", "action", "at", "entry_id");

-- CreateIndex
CREATE INDEX "audit_entries_workspace_id_resource_id_at_entry_id_idx" ON "audit_entries"("workspace_id", "resource_id", "at", "entry_id");

-- CreateIndex
CREATE INDEX "audit_entries_workspace_id_resource_type_at_entry_id_idx" ON "audit_entries"("workspace_id", "resource_type", "at", "entry_id");
