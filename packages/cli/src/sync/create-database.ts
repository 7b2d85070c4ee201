import { randomUUID } from "node:crypto";
import { link, rm, stat } from "node:fs/promises";
import { OperationalError, reasonOf, systemErrorCode } from "@canvass/provisioning";
import { openDatabase } from "./open-database.ts";
import { ensureState, type Owner } from "./sync-state.ts";

/** Makes the database of a survey where there is no file yet. It appears whole, since half a file cannot be opened. */
export async function createDatabase(path: string, owner: Owner): Promise<void> {
  if (await stat(path).catch(() => undefined)) return;
  const part = `${path}.${randomUUID()}.new`;
  try {
    {
      using database = await openDatabase(part, path);
      await ensureState(database, owner);
      await database.run("CHECKPOINT");
    }
    await link(part, path);
  } catch (error) {
    // Another process was faster.
    if (systemErrorCode(error) === "EEXIST") return;
    if (error instanceof OperationalError) throw error;
    throw new OperationalError(`${path} cannot be made (${reasonOf(error)}).`, { cause: error });
  } finally {
    // DuckDB leaves its log where it could not write the file.
    for (const left of [part, `${part}.wal`]) await rm(left, { force: true });
  }
}
