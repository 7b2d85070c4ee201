import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPool, recognizeDatabaseError, sqlFromPg } from "../src/index.ts";
import { createScratchDatabase, type ScratchDatabase } from "./scratch-database.ts";

let scratch: ScratchDatabase;
const applicationName = "silent";

beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: true });
});

afterAll(() => scratch?.[Symbol.asyncDispose]());

test("a statement whose server falls silent fails as unavailable", async () => {
  await using network = await startNetwork(new URL(scratch.url));
  await using opened = openPool({ url: network.url, poolSize: 1, applicationName, unresponsiveMs: 100 });
  const client = await opened.pool.connect();
  client.on("error", () => undefined);
  network.silence();
  const asked = [client.query("BEGIN"), sqlFromPg(client).query("SELECT $1::int AS one", [1])];
  const failures = (await Promise.allSettled(asked)).map((outcome) => "reason" in outcome && outcome.reason);
  expect(failures.map((failure) => recognizeDatabaseError(failure)?.code)).toEqual(
    Array(2).fill("service_unavailable"),
  );
  client.release(true);
});

test("an idle connection is kept", async () => {
  await using opened = openPool({ url: scratch.url, poolSize: 1, applicationName });
  const session = async () => sqlFromPg(opened.pool).query("SELECT pg_backend_pid() AS pid, $1::int", [1]);
  const before = await session();
  const client = await opened.pool.connect();
  client.connection.stream.emit("timeout");
  client.release();
  expect(await session()).toEqual(before);
});

/** A proxy between a pool and its server. After `silence` it passes nothing on. */
async function startNetwork({ hostname, port, href }: URL) {
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) sockets.push(socket.on("error", () => undefined));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(href);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    silence: () => sockets.forEach((socket) => socket.unpipe().pause()),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
