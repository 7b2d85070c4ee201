/** The key of an advisory lock. While it is held, a job that has stored 500 rows waits before its next chunk. */
export const lockKey = 7;
/** Creates the trigger that waits for the lock. */
export const holdSql = `
  CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.done > 500 THEN PERFORM pg_advisory_xact_lock_shared(${lockKey}); END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER held BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION hold()`;
