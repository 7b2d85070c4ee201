-- For the foreign key: a page that is deleted would search all elements of its workspace. CONCURRENTLY: drafts are
-- edited meanwhile.
CREATE INDEX CONCURRENTLY "elements_workspace_id_page_id_idx" ON "elements"("workspace_id", "page_id");
