import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { authority, signedBy } from "@canvass/rpc/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPool } from "../src/index.ts";
import { createScratchDatabase, type ScratchDatabase } from "./scratch-database.ts";
import { startTlsDoor } from "./tls-door.ts";

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: false });
});
afterAll(() => scratch?.[Symbol.asyncDispose]());

test("the socket of each new connection is shown: by TLS, it has the server's certificate", async () => {
  const ca = await authority();
  const ends = new Date("2077-01-01T00:00:00Z");
  await using door = await startTlsDoor(scratch.url, { ...(await signedBy(ca, { ends })), ca: ca.cert });
  const sockets: Socket[] = [];
  const onConnected = (socket: Socket) => void sockets.push(socket);
  await using opened = openPool({ url: door.url, poolSize: 1, applicationName: "sockets", onConnected });
  for (let i = 0; i < 2; i++) expect((await opened.pool.query("SELECT 1")).rowCount).toBe(1);
  expect(sockets).toEqual([expect.any(TLSSocket)]);
  const [socket] = sockets as [TLSSocket];
  expect([socket.authorized, new Date(socket.getPeerCertificate().valid_to)]).toEqual([true, ends]);
});

test("without TLS the shown socket is a plain one", async () => {
  const sockets: Socket[] = [];
  const onConnected = (socket: Socket) => void sockets.push(socket);
  await using opened = openPool({ url: scratch.url, poolSize: 1, applicationName: "sockets", onConnected });
  await opened.pool.query("SELECT 1");
  expect(sockets).toHaveLength(1);
  expect(sockets[0]).not.toBeInstanceOf(TLSSocket);
});
