import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authority, signedBy } from "@canvass/rpc/testing";
import { createLogger } from "@canvass/telemetry";
import { createTestDatabase, startTlsDoor, testNats, waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { startService } from "../src/index.ts";
import { testEnvironment } from "../test-kit/index.ts";
import { noteDefinition, readNoteConfig } from "./note-service.ts";

const inDays = (days: number) => new Date(Math.floor(Date.now() / 1_000 + days * 86_400) * 1_000);

/** Changes the addresses of other processes to https. */
const byTls = (environment: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [
      name,
      text.replace(/^http:..127\.0\.0\.1/, "https://localhost"),
    ]),
  );

test("a service shows the ends of all certificates that it relies on", async () => {
  const ends = { own: inDays(50), chain: inDays(40), authority: inDays(30), nats: inDays(20), postgresql: inDays(10) };
  const directory = await mkdtemp(join(tmpdir(), "canvass-certificates-"));
  await using parts = new AsyncDisposableStack();
  parts.defer(() => rm(directory, { recursive: true }));
  const file = async (name: string, ...pems: string[]) => {
    await writeFile(join(directory, name), pems.join("\n"));
    return join(directory, name);
  };
  const ca = await authority({ name: "top", ends: inDays(60) });
  const old = await authority({ name: "old", ends: ends.authority });
  const between = await authority({ name: "between", ca, ends: ends.chain });
  const own = await signedBy(between, { ends: ends.own });
  const nats = await signedBy(ca, { ends: ends.nats });
  const postgresql = await signedBy(ca, { ends: ends.postgresql });
  const caFile = await file("ca", ca.cert, old.cert);
  await using bus = await testNats({
    tlsFiles: { key: await file("nats.key", nats.key), cert: await file("nats", nats.cert), ca: caFile },
  });
  await using database = await createTestDatabase(join(import.meta.dirname, "fixture/prisma/migrations"));
  await using door = await startTlsDoor(database.url, { ...postgresql, ca: ca.cert });
  const config = readNoteConfig({
    ...byTls(testEnvironment({ databaseUrl: door.url, natsUrl: bus.url })),
    CANVASS_TLS_KEY_FILE: await file("own.key", own.key),
    CANVASS_TLS_CERT_FILE: await file("own", own.cert, between.cert),
    CANVASS_TLS_CA_FILE: caFile,
  });
  const log = createLogger({ service: "test", level: "silent" });
  await using service = await startService(noteDefinition(config, { log }));
  const shown = async () => {
    const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
    const lines = metrics.matchAll(/^canvass_certificate_expiry_timestamp_seconds{certificate="(\w+)",.*} (\d+)$/gm);
    return Object.fromEntries([...lines].map(([, name, seconds]) => [name, new Date(Number(seconds) * 1_000)]));
  };
  await waitFor(async () => Object.keys(await shown()).length === 5, { describe: "all connections" });
  expect(await shown()).toEqual(ends);
});
