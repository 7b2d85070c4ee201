import { bundlePrograms } from "@canvass/dev-env/in-process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { prepareCompileCache } from "./compile-cache.ts";
import { prepareServerData } from "./prepare-server-data.ts";
import { startTestPostgres } from "./start-test-postgres.ts";
import type { TestServer } from "./test-server.ts";
import { unpackChromium } from "./unpack-chromium.ts";

/** The url is the folder of the bundled programs. */
async function startPrograms(): Promise<TestServer> {
  const folder = await mkdtempDisposable(join(tmpdir(), "canvass-programs-"));
  await bundlePrograms(folder.path);
  return { url: folder.path, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const starters: Record<string, () => Promise<TestServer>> = {
  postgres: startTestPostgres,
  programs: startPrograms,
  "server-data": prepareServerData,
  chromium: unpackChromium,
};

/** Test files run in other processes and request servers by HTTP. Servers start on first use, stop after the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Workers and their child processes and threads reuse compiled modules, which saves half the work of a start.
  process.env["NODE_COMPILE_CACHE"] ??= await prepareCompileCache();
  // Each run tests other inputs. The end of the run prints the seed, which repeats a failure.
  process.env["CANVASS_PROPERTY_SEED"] ??= String(randomInt(2 ** 31));
  const running = new Map<string, Promise<TestServer>>();
  const start = async (name: string): Promise<TestServer> => {
    const starter = starters[name];
    if (starter === undefined) throw new Error(`there is no test server named ${name}`);
    const server = running.get(name) ?? starter();
    running.set(name, server);
    return server;
  };
  const door = createServer((request, response) => {
    start(request.url?.slice(1) ?? "").then(
      ({ url }) => response.end(url),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  project.provide("testServerDoor", `http://127.0.0.1:${(door.address() as AddressInfo).port}`);
  return async () => {
    door.close();
    door.closeAllConnections();
    for (const server of running.values()) await (await server.catch(() => undefined))?.[Symbol.asyncDispose]();
  };
}
