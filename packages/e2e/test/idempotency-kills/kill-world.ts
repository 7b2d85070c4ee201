import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@canvass/dev-env/servers";
import { testServerUrl, waitFor } from "@canvass/testing";
import { copyServerData, createWorkspace, type ApiClient, type DemoSystem } from "../../src/index.ts";
import { openDatabaseGate, type DatabaseGate, type HeldWrite } from "../database-gate.ts";
import { openDatabases, type Databases } from "../databases.ts";
import { keyedOperations } from "../keyed-writes/index.ts";
import type { KeyedOperation, KeyedWrite } from "../keyed-writes/keyed-operation.ts";
import { startTestSystem } from "../test-system.ts";
import { expectOnce } from "./evaluate-write.ts";

/**
 * An operation with its own workspaces: a service handles two calls of a workspace at once, and the tests hold all of
 * them.
 */
export interface Subject {
  operation: KeyedOperation;
  apis: ApiClient[];
  /** The points at which it was held when its service was killed, by number of steps from 0. */
  points: HeldWrite[];
}

/** A system behind a gate, and every keyed operation. */
export interface KillWorld extends AsyncDisposable {
  gate: DatabaseGate;
  demo: DemoSystem;
  databases: Databases;
  subjects: Subject[];
  /** The writes of this file, by the point at which a process was killed. */
  made: Map<string, KeyedWrite>;
}

/** Writes of an operation held at each kill. Batched writes run at most this many at once. */
export const writesAtOnce = 2;
export const services = [...new Set(keyedOperations.map(({ service }) => service))];

export async function startKillWorld(): Promise<KillWorld> {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "canvass-gate-"));
  starting.defer(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  await copyServerData(await testServerUrl("server-data"), dataDir);
  const server = starting.use(await startPostgres({ dataDir, durable: false }));
  const gate = starting.use(await openDatabaseGate(server.url));
  const demo = starting.use(
    await startTestSystem({
      databaseUrl: gate.url,
      restartMs: 1,
      // One connection for each held write, and more for the rest.
      env: { CANVASS_DATABASE_POOL: "60" },
    }),
  );
  const databases = starting.use(openDatabases(server.url));
  const subjects = await Promise.all(
    keyedOperations.map(async (operation) => {
      const workspaces = Array.from({ length: writesAtOnce }, () => createWorkspace(demo.system));
      const apis = (await Promise.all(workspaces)).map((workspace) => starting.use(workspace).api);
      return { operation, apis, points: [] };
    }),
  );
  const running = starting.move();
  return { gate, demo, databases, subjects, made: new Map(), [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Asserts that each write happened once, even after all events have taken effect. */
export async function expectNothingLater({ databases, made }: KillWorld): Promise<void> {
  await waitFor(() => databases.countRows(), { describe: "every event to have had its effect", timeoutMs: 60_000 });
  for (const [where, { effects }] of made) await expectOnce(effects, where);
}
