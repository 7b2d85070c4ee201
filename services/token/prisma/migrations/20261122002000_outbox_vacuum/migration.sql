-- Rows live for a second or so: a share of a nearly empty table tells nothing about what to clean up.
ALTER TABLE "outbox_events" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
