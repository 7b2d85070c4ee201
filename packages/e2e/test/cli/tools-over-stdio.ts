import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OtherWorkspace } from "../../src/index.ts";
import { anyFreePort, programEnvironment } from "@canvass/testing";
import type { SharedSystem } from "../shared-system.ts";

const program = join(WORKSPACE_ROOT, "packages/operator/src/bin/canvass.ts");
const inspector = join(WORKSPACE_ROOT, "packages/e2e/node_modules/.bin/mcp-inspector");
const eras = { modern: { pin: "2026-07-28" }, legacy: "legacy" } as const;
const handshake = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

/** Tests `canvass mcp` with the official client and with the inspector. */
export function testToolsOverStdio(shared: SharedSystem): void {
  let home: string;
  let workspace: OtherWorkspace;
  let url: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "canvass-mcp-"));
    workspace = await shared.newWorkspace();
    url = new URL(shared.demo.system.local.baseUrl).origin;
  });
  afterAll(() => rm(home, { recursive: true }));

  const environment = (token: string, address = url) => ({
    ...programEnvironment(),
    HOME: home,
    CANVASS_URL: address,
    CANVASS_TOKEN: token,
  });

  async function connect(env: Record<string, string>, era: keyof typeof eras = "legacy"): Promise<Client> {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: eras[era] } });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, "mcp"], env }));
    return client;
  }

  const failureOf = (call: Promise<unknown>) => call.then(String, (error: Error) => error.message);

  describe.each(["modern", "legacy"] as const)("a client of the %s era", (era) => {
    test("lists the gateway's tools, calls one, and gets its errors", async () => {
      const client = await connect(environment(workspace.token), era);
      expect((await client.listTools()).tools).toHaveLength(20);
      const created = await client.callTool({ name: "create_survey", arguments: { name: `Of ${era}` } });
      expect(created.structuredContent).toMatchObject({ data: { name: `Of ${era}` } });
      const many = Array.from({ length: 6 }, () => client.callTool({ name: "list_surveys" }));
      for (const { isError } of await Promise.all(many)) expect(isError).toBeFalsy();
      expect(await client.callTool({ name: "create_survey" })).toMatchObject({ isError: true });
      await expect(client.callTool({ name: "drop_tables" })).rejects.toMatchObject({ code: -32602 });
      const left = AbortSignal.abort();
      await expect(client.callTool({ name: "list_surveys" }, { signal: left })).rejects.toThrow(/abort/i);
      expect((await client.listTools()).tools).toHaveLength(20);
      await client.close();
    });
  });

  test("a token that is revoked meanwhile is an error with a sentence", async () => {
    const { data } = await workspace.api.post("/tokens", { name: "short-lived", scopes: ["surveys:read"] });
    const client = await connect(environment(data.token));
    expect((await client.listTools()).tools).toHaveLength(5);
    await workspace.api.call("DELETE", `/tokens/${data.id}`);
    const call = client.callTool({ name: "list_surveys", arguments: {} });
    expect(await failureOf(call)).toMatch(/token.*canvass login/);
    await client.close();
  });

  test("a gateway that is away is an error with a sentence", async () => {
    const away = environment(workspace.token, `http://127.0.0.1:${await anyFreePort()}`);
    expect(await failureOf(connect(away))).toMatch(/The API was not reached \(.*ECONNREFUSED/);
  });

  test.each(["end of its input", "SIGINT"] as const)("it ends at %s, and prints nothing but messages", async (end) => {
    const child = spawn(process.execPath, [program, "mcp"], { env: environment(workspace.token) });
    const said = text(child.stderr);
    const lines: unknown[] = [];
    const printed = createInterface(child.stdout).on("line", (line) => lines.push(JSON.parse(line)));
    child.stdin.write(`no message\n${JSON.stringify(handshake)}\n`);
    await once(printed, "line");
    if (end === "SIGINT") child.kill("SIGINT");
    else child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(lines).toMatchObject([{ jsonrpc: "2.0", id: 1, result: { serverInfo: { name: "canvass" } } }]);
    expect(await said).not.toContain("    at ");
  });

  test("the inspector reads every schema and calls a tool", async () => {
    const inspect = (...words: string[]) => {
      const env = environment(workspace.token);
      // It gives its server few variables of its own.
      const given = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
      const target = ["--cli", process.execPath, program, "mcp", "--transport", "stdio", "--connect-timeout", "60000"];
      return promisify(execFile)(inspector, [...target, ...given, ...words], { env });
    };
    const { stdout } = await inspect("--method", "tools/list", "--strict");
    expect(JSON.parse(stdout).tools).toHaveLength(20);
    const called = await inspect("--method", "tools/call", "--tool-name", "list_surveys");
    expect(JSON.parse(called.stdout).structuredContent.pagination).toMatchObject({ hasMore: false });
  });
}
