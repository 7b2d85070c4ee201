-- Who listened at a moment is read for every event, however often the workspace's subscriptions were paused and resumed before.
CREATE INDEX "listening_intervals_ends" ON "listening_intervals" ("workspace_id", (coalesce("ended_at", 'infinity'::timestamptz)));
