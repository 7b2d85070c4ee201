import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { requireFreePort, reservePorts } from "./ports.ts";

const NAMES = ["a", "b", "c"];
let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-ports-"));
  path = join(directory, "ports.json");
});
afterEach(() => rm(directory, { recursive: true }));

async function occupy(port: number) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

describe("reservePorts", () => {
  test("gives different ports, and the same ones on the next start", async () => {
    const first = await reservePorts(path, NAMES);
    await first[Symbol.asyncDispose]();
    await using second = await reservePorts(path, NAMES);
    expect(second.ports).toEqual(first.ports);
    expect(new Set(Object.values(second.ports)).size).toBe(NAMES.length);
  });

  test("never gives two systems the same ports, though neither listens on its own yet", async () => {
    const systems = await Promise.all(
      Array.from({ length: 12 }, (_, index) => reservePorts(join(directory, `${index}.json`), NAMES)),
    );
    const all = systems.flatMap(({ ports }) => Object.values(ports));
    expect(new Set(all).size).toBe(12 * NAMES.length);
    await Promise.all(systems.map((system) => system[Symbol.asyncDispose]()));
  });

  test("uses another port if one was taken meanwhile", async () => {
    const first = await reservePorts(path, NAMES);
    await first[Symbol.asyncDispose]();
    await using _ = await occupy(first.ports["b"]!);
    await using second = await reservePorts(path, NAMES);
    expect(Object.values(second.ports)).not.toContain(first.ports["b"]);
  });
});

test("requireFreePort names the taken port and the way out", async () => {
  await using reserved = await reservePorts(path, NAMES);
  const port = reserved.ports["a"]!;
  await expect(requireFreePort(port, "127.0.0.1")).resolves.toBeUndefined();
  await using _ = await occupy(port);
  await expect(requireFreePort(port, "127.0.0.1")).rejects.toThrow(new RegExp(`Port ${port} is taken.*CANVASS_PORT=0`));
});
