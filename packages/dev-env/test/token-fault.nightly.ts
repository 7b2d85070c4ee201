import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";

import { bundledProcesses } from "../src/bundled-processes.ts";
import { dataDirPaths } from "../src/data-dir.ts";
import { greeting } from "../src/greeting.ts";
import { startSystem, type StartSystemOptions, type System } from "../src/index.ts";
import { findTokenFault } from "@canvass/operator/token-fault";
import { WORKSPACE_ROOT } from "@canvass/processes";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "canvass token-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const start = (options: Partial<StartSystemOptions> = {}) =>
  startSystem({ dataDir, services: ["token", "gateway"], natsUrl: "nats://127.0.0.1:9", ...options });

/** Runs the printed command line in a shell and returns the token. */
async function issueAsPrinted(system: System): Promise<string> {
  const printed = greeting(system, { dataDir }, 0).map(stripVTControlCharacters);
  const line = printed.find((text) => text.includes("canvass token issue"))!.trim();
  const command = line.replace("npx -y pnpm@12 canvass", `"${process.execPath}" packages/operator/src/bin/canvass.ts`);
  const { stdout } = await promisify(execFile)("/bin/sh", ["-c", command], { cwd: WORKSPACE_ROOT });
  return /^token +(\S+)$/m.exec(stdout)![1]!;
}

type Answer = { data: { id: string }[] };

async function ask(system: System, token: string, path: string, method = "GET"): Promise<[number, Answer]> {
  const response = await fetch(system.local.baseUrl + path, { method, headers: { authorization: `Bearer ${token}` } });
  return [response.status, (await response.json()) as Answer];
}

async function connect({ databaseUrl }: System["local"]) {
  const client = new Client({ connectionString: databaseUrl.replace(/\/postgres$/, "/canvass_token") });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

test("a revoked or expired first token is shown with the command that issues another", async () => {
  {
    await using first = await start();
    const { keys, local } = first;
    const access = { tokenUrl: first.rpcUrl("token"), peerKey: keys.peerKey };
    const fault = () => findTokenFault(access, local.token);
    expect(await fault()).toBeUndefined();
    const [, { data }] = await ask(first, local.token, "/tokens");
    const successor = await issueAsPrinted({ ...first, local, tokenFault: "expired" });
    const [status] = await ask(first, successor, `/tokens/${data[0]!.id}`, "DELETE");
    expect(status).toBeLessThan(300);
    expect(await fault()).toBe("revoked or rotated");
    await using owner = await connect(local);
    await owner.query("UPDATE api_tokens SET revoked_at = NULL, expires_at = now() WHERE revoked_at IS NOT NULL");
    expect(await fault()).toBe("expired");
    await first.stop("token");
    expect(await fault()).toBeUndefined();
  }
  // With the programs of the first start: to join them anew takes longer than the rest.
  await using second = await start({ processes: bundledProcesses(dataDirPaths(dataDir).programs) });
  expect([second.tokenIsNew, second.tokenFault]).toEqual([false, "expired"]);
  const issued = await issueAsPrinted(second);
  expect((await ask(second, issued, "/event-subscriptions"))[0]).toBe(503);
});
