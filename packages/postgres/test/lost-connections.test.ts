import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction, openDatabase, openPool, recognizeDatabaseError } from "../src/index.ts";
import { PrismaClient } from "./fixture/gen/prisma/client.ts";
import { createScratchDatabase, type ScratchDatabase } from "./scratch-database.ts";

let scratch: ScratchDatabase;
const applicationName = "lost-connections";

beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: true });
});
afterAll(() => scratch?.[Symbol.asyncDispose]());

// These tests also fail if the lost connection causes an uncaught exception.
test("a transaction whose connection breaks in the chunk that frees it fails as unavailable", async () => {
  await using network = await startNetwork(new URL(scratch.url));
  await using opened = openPool({ url: network.url, poolSize: 1, applicationName });
  const first = opened.pool.query("SELECT 1");
  const second = inTransaction(opened.pool, (sql) => sql.query("SELECT 2"));
  expect((await first).rowCount).toBe(1);
  expect(recognizeDatabaseError(await second.catch((error: unknown) => error))?.code).toBe("service_unavailable");
  expect(network.chunks).toBe(1);
  expect((await opened.pool.query("SELECT 3")).rowCount).toBe(1);
});

test("so does a Prisma transaction whose connection breaks in the chunk that frees it", async () => {
  await using network = await startNetwork(new URL(scratch.url));
  const createPrisma = (adapter: ConstructorParameters<typeof PrismaClient>[0]["adapter"]) =>
    new PrismaClient({ adapter: adapter! });
  await using db = openDatabase({ url: network.url, poolSize: 1, applicationName, createPrisma });
  const first = db.pool.query("SELECT 1");
  const second = db.prisma.$transaction((tx) => tx.tally.count());
  expect((await first).rowCount).toBe(1);
  expect(recognizeDatabaseError(await second.catch((error: unknown) => error))?.code).toBe("service_unavailable");
  expect(network.chunks).toBe(1);
});

test("a transaction whose new connection breaks in the chunk that opens it fails as unavailable", async () => {
  await using network = await startNetwork(new URL(scratch.url), /* breaks at */ 1);
  await using opened = openPool({ url: network.url, poolSize: 1, applicationName });
  const asked = inTransaction(opened.pool, (sql) => sql.query("SELECT 1"));
  expect(recognizeDatabaseError(await asked.catch((error: unknown) => error))?.code).toBe("service_unavailable");
  expect(network.chunks).toBe(1);
});

/** What a server's process sends when it finds that its parent is gone. */
const farewell = (() => {
  const fields = ["SFATAL", "VFATAL", "C57P01", "Mterminating connection due to unexpected postmaster exit", ""];
  const body = Buffer.from(`${fields.join("\0")}\0`);
  const head = Buffer.from("E0000");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
})();

/** A proxy between a pool and its server, which ends the first connection with the farewell behind its n-th finished answer. */
async function startNetwork({ hostname, port, href }: URL, breaksAt = 2) {
  const told = { chunks: 0 };
  let answers = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.pipe(far);
    for (const socket of [near, far]) socket.on("error", () => undefined);
    far.on("end", () => near.end());
    far.on("data", (chunk: Buffer) => {
      // ReadyForQuery, of a session without a transaction.
      if (chunk.subarray(-6).equals(Buffer.from("Z\0\0\0\x05I"))) answers += 1;
      if (answers !== breaksAt || told.chunks > 0) return void near.write(chunk);
      told.chunks += 1;
      near.end(Buffer.concat([chunk, farewell]));
      far.destroy();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(href);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    get chunks() {
      return told.chunks;
    },
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}
