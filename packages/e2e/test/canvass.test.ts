import { execFile } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { System } from "@canvass/dev-env";
import { runCanvass } from "@canvass/operator";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { programEnvironment } from "@canvass/testing";
import { createApiClient, type DemoSystem } from "../src/index.ts";
import { openDatabases } from "./databases.ts";
import { publishEveryType } from "./every-type.ts";
import { publishSmallSurvey } from "./small-survey.ts";
import { startTestSystem } from "./test-system.ts";
import { whileAway, whileFrozen } from "./while-away.ts";

let demo: DemoSystem;
let dataDir: string;
let system: System;

beforeAll(async () => {
  demo = await startTestSystem({
    services: ["token", "survey", "response", "gateway"],
    natsUrl: "nats://127.0.0.1:9",
  });
  ({ dataDir, system } = demo);
});
afterAll(() => demo?.[Symbol.asyncDispose]());

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command in this process: a process of its own takes a second of loading. */
async function canvass(words: string[], env: Record<string, string> = { CANVASS_DATA_DIR: dataDir }): Promise<Run> {
  const run: Run = { code: 0, stdout: "", stderr: "" };
  const out = (text: string) => void (run.stdout += text);
  const err = (text: string) => void (run.stderr += text);
  run.code = await runCanvass(words, env, { out, err });
  return run;
}

async function json(...words: string[]): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await canvass([...words, "--json"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.trim().split("\n")).toHaveLength(1);
  return JSON.parse(stdout) as Record<string, string>;
}

const id = expect.stringMatching(/^[0-9a-z]{16}$/);

test("an operator sets up a workspace, people, a role and tokens, and reads the audit log", async () => {
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
  const tokenId = live["tokenId"]!;
  expect(await json("token", "revoke", ...workspace, "--token", tokenId)).toEqual({
    workspaceId: made["workspaceId"],
    tokenId,
  });

  const { entries } = (await json("audit", "list", ...workspace)) as unknown as { entries: Record<string, unknown>[] };
  expect(entries.map(({ action }) => action)).toEqual([
    "token.revoked",
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
  expect(entries[3]).toMatchObject({ actor: "operator", before: { role: "viewer" }, after: { role: "Hooks" } });
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  for (const entry of entries)
    expect(entry).toMatchObject({ address: "127.0.0.1", requestId: expect.stringMatching(uuid) });
  const requests = entries.map(({ requestId }) => requestId);
  // Each command is its own request; the first made all of the workspace.
  expect(new Set(requests).size).toBe(8);
  expect(new Set(requests.slice(-3)).size).toBe(1);
  const first = await canvass(["audit", "list", ...workspace, "--limit", "1"]);
  expect(first.stdout).toContain(`token.revoked  ${tokenId}  by an operator`);
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

test("fill answers every type of question, along a loop and skip logic, and again adds more", async () => {
  const { baseUrl, token } = system.local;
  await using api = createApiClient(baseUrl, token);
  const surveyId = await publishEveryType(api);
  const words = ["fill", "--survey", surveyId, "--responses", "60", "--concurrency", "2", "--seed", "7"];
  const filled = (await json(...words)) as unknown as Record<string, number>;
  expect(filled).toMatchObject({
    respondents: 60,
    failed: 0,
    refusal: null,
    stopped: false,
    seed: 7,
    versionNumber: 1,
  });
  expect(filled["completed"]).toBeGreaterThan(40);
  expect(filled["completed"]).toBeLessThan(60);
  const results = async () => (await api.get(`/response/surveys/${surveyId}/aggregation`)).data;
  const first = await results();
  expect(first.respondentStats).toMatchObject({ totalStarted: 60, totalCompleted: filled["completed"] });
  const counts: number[] = first.questionStats.map(({ responseCount }: { responseCount: number }) => responseCount);
  // Only the question for files has no answers: `fill` uploads none.
  expect(counts.filter((count) => count === 0).length).toBe(counts.length - 19);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(filled["answers"]);
  // Without the data directory, by the token, and with text as output.
  const nowhere = { CANVASS_DATA_DIR: join(dataDir, "nowhere"), CANVASS_TOKEN: token };
  const again = await canvass([...words, "--base-url", baseUrl], nowhere);
  expect([again.code, again.stderr]).toEqual([0, ""]);
  expect(again.stdout).toMatch(/^respondents +60$/m);
  expect((await results()).respondentStats).toMatchObject({
    totalStarted: 120,
    totalCompleted: 2 * filled["completed"]!,
  });
});

test("a stopped fill reports how many respondents it added", async () => {
  const { baseUrl, token } = system.local;
  await using api = createApiClient(baseUrl, token);
  const { surveyId } = await publishSmallSurvey(api, "Stopped");
  const words = ["fill", "--survey", surveyId, "--responses", "1000000", "--json"];
  const env = { ...programEnvironment(), CANVASS_DATA_DIR: dataDir };
  const program = join(WORKSPACE_ROOT, "packages/operator/src/bin/canvass.ts");
  const running = execFile(process.execPath, [program, ...words], { env });
  const ended = once(running, "exit");
  let printed = "";
  running.stdout!.on("data", (text: string) => (printed += text));
  const started = async () =>
    (await api.get(`/response/surveys/${surveyId}/aggregation`)).data.respondentStats.totalStarted as number;
  await expect.poll(started).toBeGreaterThan(0);
  running.kill("SIGINT");
  expect(await ended).toEqual([0, null]);
  const told = JSON.parse(printed) as Record<string, number>;
  expect(told).toMatchObject({ stopped: true, failed: 0 });
  expect(await started()).toBe(told["respondents"]);
});

test("fill refuses a survey that is not published or not there, in one line", async () => {
  const { baseUrl, token } = system.local;
  await using api = createApiClient(baseUrl, token);
  const { id: surveyId } = (await api.post("/surveys", { name: "Draft" })).data;
  for (const [survey, message] of [
    [surveyId, "is not published"],
    ["0000000000000000", "survey"],
  ]) {
    const { code, stdout, stderr } = await canvass(["fill", "--survey", survey, "--responses", "1"]);
    expect([code, stdout, stderr.trim().split("\n")]).toEqual([1, "", [expect.stringContaining(message)]]);
  }
});

test("a refusal of the service is one line on standard error that names the option, and the exit code is 1", async () => {
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

test("the doctor finds a process that is stopped, one that hangs, a bus that is away and an event that waits", async () => {
  await using databases = openDatabases(system.local.databaseUrl);
  const old = "now() - interval '3 hours'";
  await databases.query(
    "response",
    `INSERT INTO outbox_events (event_id, workspace_id, type, payload, occurred_at, awaiting)
     VALUES ('old', 'w', 'response.completed', '', ${old}, '{feed}')`,
  );
  const examine = () => canvass(["doctor", "--seconds", "0"]);
  const found = await examine();
  expect([found.code, found.stderr]).toEqual([1, ""]);
  expect(found.stdout).toContain("✖ The oldest event of response has waited for 3 h.");
  expect(found.stdout).toContain("! token is not connected to NATS; its events take the slow path.");
  // This system has no such process.
  expect(found.stdout).toContain("✖ webhook does not run");
  expect(found.stdout).not.toMatch(/survey (does not run|hangs)/);
  await whileAway(system, ["survey"], async () => {
    expect((await examine()).stdout).toContain("✖ survey does not run");
  });
  await whileFrozen(system, "survey", async () => {
    expect((await examine()).stdout).toContain("✖ survey hangs: it takes connections and answers nothing.");
  });
  await databases.query("response", "DELETE FROM outbox_events WHERE event_id = 'old'");
});
