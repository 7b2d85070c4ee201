import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";

const PROGRAM = join(import.meta.dirname, "../src/bin/canvass.ts");

test.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const)("%s ends a command that waits for a server, by its own hand as process 1 must", async (signal, code) => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  await using _ = { [Symbol.asyncDispose]: async () => void silent.close() };
  const asked = once(silent, "connection");
  const { port } = silent.address() as AddressInfo;
  const child = spawn(process.execPath, [PROGRAM, "doctor", "--ops", `gateway=http://127.0.0.1:${port}`]);
  const ended = once(child, "exit");
  await asked;
  child.kill(signal);
  expect(await ended).toEqual([code, null]);
});
