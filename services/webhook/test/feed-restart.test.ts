import { migrate } from "@canvass/postgres/migrate";
import { startPostgres } from "@canvass/dev-env/servers";
import { waitFor } from "@canvass/testing";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { completion, newWorkspace, startWebhookSystem } from "./webhook-system.ts";

const WRITERS = 16;
const BATCHES = 160;

test("sixteen writers leave no gap while the database is killed and started again", async () => {
  await using running = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "canvass-feed-restart-"));
  running.defer(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  let server = await startPostgres({ dataDir });
  running.defer(() => server[Symbol.asyncDispose]());
  await migrate({ url: server.url, migrationsDir: join(import.meta.dirname, "../prisma/migrations") });
  const system = running.use(await startWebhookSystem({ databaseUrl: server.url }));
  const workspaces = [newWorkspace(), newWorkspace(), newWorkspace()];
  for (const w of workspaces) await system.createHook(w);
  const batches = Array.from({ length: BATCHES }, (_, index) =>
    workspaces.flatMap((w) => Array.from({ length: 1 + (index % 4) }, () => completion(w, system.clock.now()))),
  );

  /** Repeats, as the source does, until the batch is stored. */
  const store = (batch: (typeof batches)[number]) =>
    waitFor(
      () =>
        system.handOver(batch).then(
          ({ length }) => length === batch.length,
          () => false,
        ),
      {
        describe: "a batch to be stored",
        timeoutMs: 60_000,
      },
    );

  let stored = 0;
  const seen = new Map(workspaces.map((w) => [w, [] as string[]]));
  const readers = workspaces.map(async (w) => {
    let cursor = "";
    for (;;) {
      const last = stored === BATCHES;
      const page = await system.feed.listEvents({ cursor, limit: 20 }, system.as(w)).catch(() => undefined);
      if (!page) {
        await new Promise(setImmediate);
        continue;
      }
      seen.get(w)!.push(...page.events.map(({ eventId }) => eventId));
      cursor = page.nextCursor;
      if (last && page.events.length === 0) return;
    }
  });
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let index = writer; index < BATCHES; index += WRITERS) {
      await store(batches[index]!);
      stored += 1;
    }
  });
  await waitFor(() => stored > BATCHES / 4, { describe: "a quarter", timeoutMs: 60_000 });
  process.kill(server.pid, "SIGKILL");
  await server.exited;
  server = await startPostgres({ dataDir, port: server.port });
  await Promise.all([...writers, ...readers]);
  for (const w of workspaces) {
    const published = batches.flat().filter(({ workspaceId }) => workspaceId === w);
    const rows = await system.sql("SELECT position, event_id FROM feed_events WHERE workspace_id = $1 ORDER BY 1", [w]);
    expect(rows.map(({ position }) => Number(position))).toEqual(published.map((_, index) => index + 1));
    expect(new Set(rows.map((row) => row["event_id"])).size).toBe(published.length);
    // Readers met every event once, in order.
    expect(seen.get(w)).toEqual(rows.map((row) => row["event_id"]));
  }
});
