import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inChild } from "@canvass/dev-env";
import { PROCESSES } from "@canvass/processes";
import { startPostgres } from "@canvass/dev-env/servers";
import type { TestServer } from "./test-server.ts";

/**
 * Creates the data directory of a stopped PostgreSQL server with the migrated databases of all services. Tests of whole
 * systems start on copies, because migrating takes a third of a start. The url is the directory. Disposing deletes it.
 */
export async function prepareServerData(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "canvass-server-data-"));
  const dataDir = join(folder, "data");
  try {
    await using server = await startPostgres({ dataDir, durable: false });
    // In a child process: migrations need what only Node itself has, but vitest loads this setup.
    await inChild("prepareDatabases", server.url, ownDatabases());
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return { url: dataDir, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** Random passwords: each start sets its own. */
function ownDatabases() {
  return PROCESSES.flatMap(({ name: service, migrations: migrationsDir }) =>
    migrationsDir === undefined ? [] : [{ service, migrationsDir, password: randomBytes(24).toString("base64url") }],
  );
}
