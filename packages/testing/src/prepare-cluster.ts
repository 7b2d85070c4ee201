import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inChild } from "@canvass/dev-env/in-child";
import { PROCESSES } from "@canvass/processes";
import { startPostgres } from "@canvass/servers";
import type { TestServer } from "./test-server.ts";

/**
 * Prepares a data directory of PostgreSQL with the migrated databases of all services, as the first start of a system makes
 * it; whole systems under test begin with copies. The url is the directory, of which no server runs. Disposing deletes it.
 */
export async function prepareCluster(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "canvass-test-cluster-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const dataDir = join(folder, "postgres");
    await using server = await startPostgres({ dataDir, durable: false });
    const databases = PROCESSES.flatMap(({ name: service, migrations: migrationsDir }) =>
      // Each system sets passwords of its own.
      migrationsDir === undefined ? [] : [{ service, migrationsDir, password: randomBytes(24).toString("base64url") }],
    );
    await inChild("prepareDatabases", server.url, databases);
    return { url: dataDir, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
