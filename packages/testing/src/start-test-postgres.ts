import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@canvass/dev-env/servers";
import type { TestServer } from "./test-server.ts";

/** Starts a PostgreSQL server with an empty data directory and without fsync. Disposing deletes both. */
export async function startTestPostgres(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "canvass-test-postgres-"));
  try {
    const server = await startPostgres({ dataDir: join(folder, "data"), durable: false });
    return {
      url: server.url,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
