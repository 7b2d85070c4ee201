import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSystem, type System } from "@canvass/dev-env";
import { readLocalFile, type LocalState } from "@canvass/operator/local-file";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApiClient, readFeed, type ApiClient } from "../src/index.ts";
import { completeRespondent, publishSmallSurvey, type SmallSurvey } from "./small-survey.ts";

let dataDir: string;
let system: System | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "canvass-fresh-"));
});
afterAll(async () => {
  await system?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

const start = (port = 0) => startSystem({ dataDir, port, env: { CANVASS_RATE_LIMITS: "off" } });
const connect = ({ baseUrl, token }: LocalState): ApiClient => createApiClient(baseUrl, token);
const localPath = () => join(dataDir, "local.json");

const names = ["gateway", "token", "survey", "response", "distribution", "webhook", "delivery", "postgres", "nats"];
let survey: SmallSurvey;
let first: LocalState;

test("the first start makes a workspace and writes local.json, readable by its owner only", async () => {
  system = await start();
  expect(system.tokenIsNew).toBe(true);
  first = (await readLocalFile(localPath()))!;
  const publicUrl = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(first).toEqual({
    baseUrl: `${first.publicUrl}/api/v1`,
    publicUrl,
    token: expect.stringMatching(/^cvs_live_[A-Za-z0-9]{32,}$/),
    workspaceId: expect.stringMatching(/^[a-z0-9]{16}$/),
    personId: expect.stringMatching(/^[a-z0-9]{16}$/),
    databaseUrl: expect.stringMatching(/^postgres(ql)?:\/\//),
    natsUrl: expect.stringMatching(/^nats:\/\/canvass:[\w-]{32}@127\.0\.0\.1:\d+$/),
    processes: expect.any(Array),
  });
  expect(first.processes.map(({ name }) => name).sort()).toEqual([...names].sort());
  for (const { pid, url } of first.processes) {
    expect(isAlive(pid)).toBe(true);
    expect(url).toMatch(/^(http|nats|postgres(ql)?):\/\//);
  }
  for (const file of ["local.json", "keys.json", "state.json"]) {
    expect((await stat(join(dataDir, file))).mode & 0o777, file).toBe(0o600);
  }

  await using api = connect(first);
  const { data } = await api.get("/tokens");
  expect(data).toHaveLength(1);
  expect(data[0].scopes).toEqual(expect.arrayContaining(["full_access", "events:write"]));
  await api.post("/event-subscriptions", { name: "Feed" });
  survey = await publishSmallSurvey(api);
  await completeRespondent(api, survey);
  await waitFor(async () => (await readFeed(api)).events.length === 1, { describe: "the event in the feed" });
});

test("a second start on the same directory is refused in one sentence and disturbs nothing", async () => {
  await expect(start()).rejects.toMatchObject({
    name: "OperationalError",
    message: expect.stringMatching(/^Canvass is already running on this data directory \(process \d+\)[^\n]*\.$/),
  });
  await using api = connect(first);
  expect((await api.call("GET", "/health")).status).toBe(200);
});

test("after a stop no process is left, and local.json is not valid any more", async () => {
  await system![Symbol.asyncDispose]();
  system = undefined;
  expect(first.processes.filter(({ pid }) => isAlive(pid))).toEqual([]);
  expect(await processesOf(dataDir)).toEqual([]);
  expect(await readLocalFile(localPath())).toBeUndefined();
});

test("a port in use is refused in one sentence, and the attempt leaves nothing behind", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await expect(start(port)).rejects.toMatchObject({
    name: "OperationalError",
    message: expect.stringMatching(new RegExp(`^[A-Z][^\\n]*\\b${port}\\b[^\\n]*\\.$`)),
  });
  server.close();
  expect(await processesOf(dataDir)).toEqual([]);
});

test("the next start finds its data: token, survey, results, feed and subscriptions", async () => {
  system = await start();
  expect(system.tokenIsNew).toBe(false);
  const second = (await readLocalFile(localPath()))!;
  const { token, workspaceId, personId, baseUrl, databaseUrl } = first;
  expect(second).toMatchObject({ token, workspaceId, personId, baseUrl, databaseUrl });

  await using api = connect(second);
  expect((await api.get(`/surveys/${survey.surveyId}`)).data).toMatchObject({
    name: "Small survey",
    publishedVersion: 1,
  });
  const results = await api.get(`/response/surveys/${survey.surveyId}/aggregation`);
  expect(results.data.respondentStats).toMatchObject({ totalStarted: 1, totalCompleted: 1 });
  expect((await api.get("/event-subscriptions")).data).toHaveLength(1);
  const { events, cursor } = await readFeed(api);
  expect(events).toHaveLength(1);
  const respondentId = await completeRespondent(api, survey);
  const more = await waitFor(
    async () => {
      const page = await readFeed(api, cursor);
      return page.events.length > 0 ? page : undefined;
    },
    { describe: "the next event after the earlier cursor" },
  );
  expect(more.events.map(({ data }) => data.response_id)).toEqual([respondentId]);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Command lines of processes whose command line or environment contains a directory. Empty without /proc. */
async function processesOf(directory: string): Promise<string[]> {
  const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const texts = await Promise.all(ids.filter((id) => Number(id) !== process.pid).map(describeProcess));
  return texts
    .filter(({ environment, command }) => (environment + command).includes(directory))
    .map(({ command }) => command);
}

async function describeProcess(id: string): Promise<{ command: string; environment: string }> {
  const read = async (file: string) =>
    (await readFile(`/proc/${id}/${file}`, "utf8").catch(() => "")).replaceAll("\0", " ");
  return { command: await read("cmdline"), environment: await read("environ") };
}
