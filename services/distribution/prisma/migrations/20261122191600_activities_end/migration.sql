-- CreateIndex
CREATE INDEX "contact_activities_at_idx" ON "contact_activities"("at");
