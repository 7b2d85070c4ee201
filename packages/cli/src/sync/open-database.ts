import { OperationalError, reasonOf } from "@canvass/provisioning";
import type { DuckDBConnection } from "@duckdb/node-api";

type Rows = Record<string, unknown>[];
type Value = string | number | boolean | null;

/** A local DuckDB. Its errors are sentences. */
export type Database = Disposable & {
  run: (sql: string, values?: Value[]) => Promise<void>;
  read: (sql: string, values?: Value[]) => Promise<Rows>;
  /** Runs the statements of `write` in one transaction. */
  transact: (write: () => Promise<void>) => Promise<void>;
};

/** Opens a file of DuckDB, or makes it; errors name it `name`. Throws OperationalError if another process has it. */
export async function openDatabase(path: string, name = path): Promise<Database> {
  const { DuckDBInstance } = await import("@duckdb/node-api").catch((error: unknown) => {
    throw new OperationalError(
      "DuckDB is not installed here, since images leave it out; run the command in a checkout.",
      { cause: error },
    );
  });
  const instance = await DuckDBInstance.create(path).catch((error: unknown) => {
    throw explain(name, error);
  });
  return around(name, await instance.connect(), () => instance.closeSync());
}

function around(path: string, connection: DuckDBConnection, close: () => void): Database {
  const run = async (sql: string, values: Value[] = []) => {
    await connection.run(sql, values).catch((error: unknown) => {
      throw explain(path, error);
    });
  };
  return {
    run,
    async read(sql, values = []) {
      const reader = await connection.runAndReadAll(sql, values).catch((error: unknown) => {
        throw explain(path, error);
      });
      return reader.getRowObjectsJson();
    },
    async transact(write) {
      await run("BEGIN TRANSACTION");
      try {
        await write();
        await run("COMMIT");
      } catch (error) {
        await connection.run("ROLLBACK").catch(() => undefined);
        throw error;
      }
    },
    [Symbol.dispose]() {
      connection.closeSync();
      close();
    },
  };
}

function explain(path: string, cause: unknown): OperationalError {
  const reason = reasonOf(cause);
  const [line = ""] = reason.split("\n");
  if (/lock/i.test(reason) && /conflicting|already open|being used/i.test(reason))
    return new OperationalError(`${path} is open in another process; end that one first.`, { cause });
  if (/no space|disk full|could not write|out of disk/i.test(reason))
    return new OperationalError(
      `${path} cannot be written: make room, and run it again: it goes on from there. (${line})`,
      {
        cause,
      },
    );
  return new OperationalError(`${path} cannot be used (${line}).`, { cause });
}
