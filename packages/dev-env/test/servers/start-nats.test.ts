import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { servesJetStream } from "../../src/servers/nats/nats-process.ts";
import { startNats } from "../../src/servers/nats/start-nats.ts";
import { isAlive } from "../../src/processes/process-info.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-nats-"));
});
afterAll(() => rm(directory, { recursive: true }));

test("serves JetStream from its directory, stops on disposal and starts again on the same port", async () => {
  const dataDir = join(directory, "streams");
  const first = await startNats({ dataDir, password: "a p@ss/word" });
  expect(await servesJetStream(first.port)).toBe(true);
  await first[Symbol.asyncDispose]();
  expect(await servesJetStream(first.port)).toBe(false);
  await using second = await startNats({ dataDir, port: first.port, password: "a p@ss/word" });
  expect(second.url).toBe(first.url);
  expect(second.pid).not.toBe(first.pid);
});

/** Returns what the server sends to a client that connects with these options and sends a PING. */
async function responseTo(port: number, options: object): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString();
    if (/^(PONG|-ERR)/m.test(received)) socket.end();
  });
  socket.write(`CONNECT ${JSON.stringify({ verbose: false, ...options })}\r\nPING\r\n`);
  await once(socket, "close");
  return received;
}

test("asks for the user and password of its address", async () => {
  await using nats = await startNats({ dataDir: join(directory, "asking") });
  const { username: user, password: pass } = new URL(nats.url);
  expect(pass).toMatch(/^[\w-]{32}$/);
  expect(await responseTo(nats.port, { user, pass })).toMatch(/^PONG/m);
  for (const wrong of [{}, { user }, { user, pass: "guessed" }, { auth_token: pass }]) {
    expect(await responseTo(nats.port, wrong)).toMatch(/^-ERR 'Authorization Violation'/m);
  }
});

test("the next start stops a server whose starter was killed", async () => {
  const script = `
    const { startNats } = await import(${JSON.stringify(join(import.meta.dirname, "../../src/servers/nats/start-nats.ts"))});
    const server = await startNats({ dataDir: ${JSON.stringify(join(directory, "orphan"))} });
    process.stdout.write(String(server.pid));
    setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed] = (await once(owner.stdout, "data")) as [Buffer];
  const pid = Number(printed);
  expect(isAlive(pid)).toBe(true);
  owner.kill("SIGKILL");
  await once(owner, "exit");
  await using _next = await startNats({ dataDir: join(directory, "next") });
  expect(isAlive(pid)).toBe(false);
});

test("a failed start reports the server's own message", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const start = startNats({ dataDir: join(directory, "taken"), port });
  await expect(start).rejects.toThrow(/^nats-server did not start:\n.*address already in use/s);
  other.close();
});
