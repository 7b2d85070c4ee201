import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { someSurvey } from "./fake-services.ts";
import { startEdge, type Edge } from "./start-edge.ts";

const program = fileURLToPath(new URL("../node_modules/.bin/mcp-inspector", import.meta.url));
const run = promisify(execFile);

let edge: Edge;
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "canvass-inspector-"));
  edge = await startEdge({
    survey: { listSurveys: async ({ query }) => ({ surveys: [someSurvey({ name: query })], hasMore: false }) },
  });
});
afterAll(async () => {
  await edge[Symbol.asyncDispose]();
  await rm(home, { recursive: true });
});

/** Runs the inspector's command line, which keeps files in the home folder. */
async function inspect(token: string, ...words: string[]) {
  const header = ["--header", `Authorization: Bearer ${token}`];
  const address = ["--cli", `${edge.url}/mcp`, "--transport", "http", "--stored-auth-only"];
  try {
    const { stdout } = await run(program, [...address, ...header, ...words], { env: { ...process.env, HOME: home } });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

const modern = ["--protocol-era", "modern"];
const legacy = ["--protocol-era", "legacy"];
const call = ["--method", "tools/call", "--tool-name", "list_surveys", "--tool-arg"];

test("the MCP Inspector can read every schema", async () => {
  const { value } = edge.services.issueToken(["full_access", "events:write"]);
  const { code, output } = await inspect(value, ...modern, "--method", "tools/list", "--strict");
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(JSON.parse(output).tools).toHaveLength(20);
});

test("the MCP Inspector calls a tool, gets its errors, and gets an error for a wrong token", async () => {
  const { value } = edge.services.issueToken(["surveys:read"]);
  const good = await inspect(value, ...legacy, ...call, "q=Lunch");
  expect(JSON.parse(good.output).structuredContent.data[0].name).toBe("Lunch");
  const bad = await inspect(value, ...modern, ...call, "limit=1000");
  expect(bad.output).toContain("validation_failed");
  expect((await inspect("cvs_live_wrong", ...modern, ...call, "q=Lunch")).code).toBe(3);
});
