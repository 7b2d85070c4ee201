import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startSystem, type System } from "@canvass/dev-env";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { createApiClient } from "../src/index.ts";
import { openDatabases } from "./databases.ts";
import { publishSmallSurvey } from "./small-survey.ts";

let dataDir: string;
let system: System;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "canvass-operator-"));
  system = await startSystem({
    dataDir,
    services: ["token", "survey", "response", "gateway"],
    natsUrl: "nats://127.0.0.1:9",
  });
}, 120_000);
afterAll(async () => {
  await system[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

const program = join(WORKSPACE_ROOT, "packages/operator/src/bin/canvass.ts");

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

async function canvass(words: string[], env: Record<string, string> = { CANVASS_DATA_DIR: dataDir }): Promise<Run> {
  const options = { env: { PATH: process.env["PATH"], ...env } };
  return promisify(execFile)(process.execPath, [program, ...words], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Run) => ({ code, stdout, stderr }),
  );
}

async function json(...words: string[]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await canvass([...words, "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.trim().split("\n")).toHaveLength(1);
  return JSON.parse(stdout) as Record<string, string>;
}

const id = expect.stringMatching(/^[0-9a-z]{16}$/);

test("an operator sets up a workspace, people, a role and tokens, and reads what was done", async () => {
  const owner = ["--owner-name", "Ada", "--owner-email", "ada@example.com", "--time-zone", "Europe/Berlin"];
  const made = await json("workspace", "create", "--name", "Acme", "--plan", "free", ...owner);
  expect(made).toEqual({ workspaceId: id, personId: id, tokenId: id, token: expect.stringMatching(/^cvs_live_/) });
  const workspace = ["--workspace", made["workspaceId"]!];
  expect(await json("workspace", "set-plan", ...workspace, "--plan", "starter")).toEqual({
    workspaceId: made["workspaceId"],
    plan: "starter",
  });
  const role = await json(
    "role",
    "create",
    ...workspace,
    "--name",
    "Hooks",
    "--powers",
    "manage_webhooks, view_results",
  );
  expect(role).toMatchObject({ roleId: id, powers: ["manage_webhooks", "view_results"] });
  const grace = ["--name", "Grace", "--email", "grace@example.com"];
  const { personId } = await json("person", "add", ...workspace, ...grace, "--role", "viewer");
  expect(personId).toEqual(id);
  const person = ["--person", personId!];
  expect(await json("person", "set-role", ...workspace, ...person, "--role", "Hooks")).toMatchObject({ role: "Hooks" });
  const wanted = ["--name", "CI", "--scopes", "events:write,responses:read"];
  const live = await json("token", "issue", ...workspace, ...person, ...wanted);
  expect(live).toEqual({ workspaceId: made["workspaceId"], personId, tokenId: id, token: expect.any(String) });
  const trial = await json("token", "issue", ...workspace, ...person, "--name", "trial", "--test");
  expect(trial["token"]).toMatch(/^cvs_test_/);

  const { entries } = (await json("audit", "list", ...workspace)) as unknown as { entries: Record<string, unknown>[] };
  expect(entries.map(({ action }) => action)).toEqual([
    "token.created",
    "token.created",
    "person.role_changed",
    "person.added",
    "role.created",
    "workspace.plan_changed",
    "token.created",
    "person.added",
    "workspace.created",
  ]);
  expect(entries[2]).toMatchObject({ actor: "operator", before: { role: "viewer" }, after: { role: "Hooks" } });
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  for (const entry of entries)
    expect(entry).toMatchObject({ address: "127.0.0.1", requestId: expect.stringMatching(uuid) });
  const requests = entries.map(({ requestId }) => requestId);
  // Each command is its own request; the first made all of the workspace.
  expect(new Set(requests).size).toBe(7);
  expect(new Set(requests.slice(-3)).size).toBe(1);
  const first = await canvass(["audit", "list", ...workspace, "--limit", "1"]);
  expect(first.stdout).toContain(`token.created  ${String(trial["tokenId"])}  by an operator`);
  expect(first.stdout).toContain(` from 127.0.0.1 in request ${String(requests[0])} `);
  const cursor = /^cursor +(\S+)$/m.exec(first.stdout)![1]!;
  const second = await json("audit", "list", ...workspace, "--limit", "1", "--cursor", cursor);
  expect(second["entries"]).toMatchObject([{ id: entries[1]!["id"] }]);
  for (const token of [made, live, trial]) {
    expect(JSON.stringify(entries)).not.toContain(token["token"]!.slice(9, 40));
  }
});

test("an operator verifies a survey's results and repairs them", async () => {
  const { baseUrl, token, workspaceId } = system.local;
  await using api = createApiClient(baseUrl, token);
  const survey = await publishSmallSurvey(api);
  const words = ["results", "verify", "--workspace", workspaceId, "--survey", survey.surveyId];
  expect(await json(...words)).toMatchObject({ respondents: 0, differing: 0, differences: [] });
  await using databases = openDatabases(system.local.databaseUrl);
  await databases.query(
    "response",
    `INSERT INTO survey_counters (workspace_id, survey_id, shard, started) VALUES ('${workspaceId}', '${survey.surveyId}', 0, 2)`,
  );
  const found = await canvass(words);
  expect([found.code, found.stderr]).toEqual([1, ""]);
  expect(found.stdout).toMatch(/^respondents that started: 2 counted, 0 in the answers$/m);
  expect(found.stdout).toMatch(/^outcome +1 rows of counters differ$/m);
  const mended = await canvass([...words, "--repair"]);
  expect([mended.code, mended.stdout]).toEqual([0, expect.stringMatching(/; mended$/m)]);
  expect(await canvass(words)).toMatchObject({ code: 0, stdout: expect.stringContaining("the counters are right") });
  const absent = await canvass(["results", "verify", "--workspace", workspaceId, "--survey", "x"]);
  expect(absent).toMatchObject({ code: 1, stdout: "" });
  expect(absent.stderr.trim().split("\n")).toHaveLength(1);
});

test("what the service refuses is one line that names the option, on the other channel, and the exit code is 1", async () => {
  const workspace = ["--workspace", system.local.workspaceId];
  for (const [words, message] of [
    [["workspace", "set-plan", ...workspace, "--plan", "gold"], "--plan: Use one of free, starter,"],
    [["workspace", "set-plan", "--workspace", "x", "--plan", "free"], "--workspace: There is no such workspace."],
    [
      ["workspace", "create", "--name", "x", "--plan", "free", "--owner-name", "x", "--owner-email", "nobody"],
      "--owner-email: An e-mail address is required.",
    ],
    [
      ["person", "set-role", ...workspace, "--person", system.local.personId, "--role", "viewer"],
      "--role: A workspace keeps at least one owner.",
    ],
  ] as const) {
    const { code, stdout, stderr } = await canvass([...words]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  }
});

test("a token service elsewhere is reached by its address and the operator key, and by nothing else", async () => {
  const words = ["audit", "list", "--workspace", system.local.workspaceId, "--token-service", system.rpcUrl("token")];
  const nowhere = join(dataDir, "nowhere");
  const env = { CANVASS_DATA_DIR: nowhere, CANVASS_OPERATOR_KEY: system.keys.operatorKey };
  const { code, stdout } = await canvass(words, env);
  expect([code, stdout]).toEqual([0, expect.stringContaining("workspace.created")]);
  // The launcher made the first workspace.
  expect(stdout).toMatch(/ by an operator from 127\.0\.0\.1 in request [0-9a-f-]{36} /);
  const wrong = await canvass(words, { ...env, CANVASS_OPERATOR_KEY: system.keys.peerKey });
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("does not accept this operator key") });
  const missing = await canvass(words, { CANVASS_DATA_DIR: nowhere });
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("set CANVASS_OPERATOR_KEY") });
});
