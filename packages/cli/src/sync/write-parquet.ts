import { rename } from "node:fs/promises";
import { join } from "node:path";
import { writeError } from "../write-error.ts";
import type { Database } from "./open-database.ts";

/** Writes the view and the tables as files of Parquet, each whole or not at all. */
export async function writeParquet(database: Database, folder: string): Promise<void> {
  for (const name of ["responses", "answers", "elements", "entries"]) {
    const path = join(folder, `${name}.parquet`);
    const part = `${path}.new`;
    await database.run(`COPY (FROM ${name}) TO '${part.replaceAll("'", "''")}' (FORMAT parquet)`);
    await rename(part, path).catch((error: unknown) => {
      throw writeError(path, error);
    });
  }
}
