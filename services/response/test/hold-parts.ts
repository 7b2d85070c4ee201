import { waitFor } from "@canvass/testing";
import type { ExportHarness } from "./export-harness.ts";
import { ownLocks } from "./harness.ts";

export const rowsInPart = 5_000;

/** Exports that are held. */
export interface HeldParts {
  /** Waits until an export is held. */
  untilHeld(): Promise<void>;
  /** Breaks the connections that wait: otherwise the server would still execute their statements. */
  breakOff(): Promise<void>;
  release(): Promise<void>;
}

const lock = 7;
const waiting = `SELECT pid FROM ${ownLocks} WHERE locktype = 'advisory' AND objid = ${lock} AND NOT granted`;

/** Prevents exports from recording more than `parts` parts until released. */
export async function holdParts({ sql, pool }: ExportHarness, parts: number): Promise<HeldParts> {
  await sql(
    `CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF jsonb_array_length(NEW.checkpoint -> 'parts') > ${parts} THEN PERFORM pg_advisory_xact_lock_shared(${lock}); END IF;
       RETURN NEW;
     END $$`,
  );
  await sql("CREATE TRIGGER held BEFORE UPDATE OF checkpoint ON jobs FOR EACH ROW EXECUTE FUNCTION hold()");
  const holder = await pool.connect();
  await holder.query(`SELECT pg_advisory_lock(${lock})`);
  return {
    async untilHeld() {
      await waitFor(async () => (await sql(waiting)).length > 0, { describe: "an export to wait", timeoutMs: 60_000 });
    },
    async breakOff() {
      await sql(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS waiting`);
    },
    async release() {
      await holder.query(`SELECT pg_advisory_unlock(${lock})`);
      holder.release();
      await sql("DROP TRIGGER held ON jobs; DROP FUNCTION hold");
    },
  };
}
