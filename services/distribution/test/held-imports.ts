/** While the lock is held, a job that has stored 500 rows waits before its next chunk. */
export const lock = 7;
export const hold = `
  CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.done > 500 THEN PERFORM pg_advisory_xact_lock_shared(${lock}); END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER held BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION hold()`;
