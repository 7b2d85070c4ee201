import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCanvass } from "@canvass/sdk";
import { expect, test, vi } from "vitest";
import { sync } from "../src/commands/sync.ts";
import { openDatabase } from "../src/sync/open-database.ts";
import { syncUntil } from "../src/sync/sync-until.ts";

const timestamp = "2026-11-26T00:00:00.000Z";
// The time of the answer: one of another day would make each run read all anew.
const meta = { timestamp: new Date().toISOString(), version: "1.0", requestId: "r", etag: '"e"' };

function respondent(respondentId: string) {
  const nothing = { completedAt: null, language: null, distributorId: null, contactId: null, metadata: {}, fields: {} };
  const progress = { pageId: null, percentComplete: 0 };
  const answers: ReturnType<typeof answer>[] = [];
  return {
    respondentId,
    versionNumber: 1,
    isTest: false,
    status: "started",
    progress,
    startedAt: timestamp,
    ...nothing,
    answers,
  };
}

const answer = (respondentId: string, value: number) => ({
  id: `a-${respondentId}`,
  respondentId,
  elementId: "e",
  itemId: null,
  type: "number",
  value,
  submittedAt: `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`,
});

type State = { respondents: ReturnType<typeof respondent>[]; surveyIsAway: boolean; anonymity?: "full" };

/** The API of one survey without a feed. */
function startApi(state: State) {
  const refusal = (code: string, retryable: boolean) => ({
    success: false,
    error: { code, message: code, suggestion: "", retryable, details: {} },
    meta,
  });
  const answers = () => state.respondents.flatMap((each) => each.answers);
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, "http://api");
    const send = (status: number, body: object) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const succeed = (data: unknown, more: object = {}) => send(200, { success: true, data, ...more, meta });
    if (pathname.endsWith("/stream")) {
      const [from, after] = [searchParams.get("from")!, searchParams.get("cursor") ?? ""];
      const rows = answers().map((each) => ({ ...each, cursor: `${each.submittedAt} ${each.id}` }));
      const later = rows.filter(({ submittedAt, cursor }) => submittedAt >= from && cursor > after);
      const lines = later.map((row) => `${JSON.stringify(row)}\n`).join("");
      return void response.writeHead(200, { "content-type": "application/x-ndjson" }).end(lines);
    }
    if (pathname.endsWith("/respondents")) {
      const from = Number(searchParams.get("cursor") ?? 0);
      const { length } = state.respondents;
      return succeed(state.respondents.slice(from), { pagination: { cursor_next: String(length), hasMore: false } });
    }
    if (pathname.includes("/respondents/")) {
      const found = state.respondents.find(({ respondentId }) => pathname.endsWith(`/${respondentId}`));
      return found ? succeed(found) : send(404, refusal("respondent_not_found", false));
    }
    if (pathname.endsWith("/aggregation")) {
      const started = state.respondents.filter(({ isTest }) => !isTest);
      const respondentStats = { totalStarted: started.length, totalCompleted: 0 };
      return succeed({ respondentStats, questionStats: [{ responseCount: answers().length }] });
    }
    if (pathname === "/api/v1/surveys/s") {
      if (state.surveyIsAway) return send(503, refusal("service_unavailable", true));
      return succeed({ id: "s", settings: { privacy: { anonymity: state.anonymity } }, publishedVersion: null });
    }
    send(403, refusal("feature_locked", false));
  });
}

/** Starts the API, and gives a session with it that notes its lines. */
async function startSession(state: State) {
  const server = startApi(state);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const session = {
    env: {},
    json: false,
    print: note,
    note,
    progress: () => {},
    profile: "default",
    access: async () => ({ url, token: "cvs_live_x", from: "" }),
    canvass: async () => createCanvass({ url, token: "cvs_live_x", retries: 0 }),
  };
  return { session, lines, [Symbol.dispose]: () => server.close().closeAllConnections() };
}

test("as many erased as imported, and an erased test, are found at the next start, by ids alone", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "canvass-sync-"));
  const state = { respondents: ["r1", "r2", "r3"].map(respondent), surveyIsAway: false };
  state.respondents.push({ ...respondent("t1"), isTest: true });
  using api = await startSession(state);
  const to = join(folder.path, "ids.duckdb");
  const run = () => syncUntil(new AbortController().signal, api.session, { surveyId: "s", to, follow: false });
  expect(await run()).toMatchObject({ respondents: 4, read: 4 });
  expect(await run()).toMatchObject({ respondents: 4, read: 0 });
  state.respondents = ["i1", "r2", "i3"].map(respondent);
  expect(await run()).toMatchObject({ respondents: 3, read: 5 });
  using database = await openDatabase(to);
  const rows = await database.read("SELECT respondent_id AS id FROM respondents ORDER BY id");
  expect(rows.map(({ id }) => id)).toEqual(["i1", "i3", "r2"]);
});

test("with full anonymity one that follows sees a changed answer of the same day", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "canvass-sync-"));
  const one = { ...respondent("r1"), answers: [answer("r1", 1)] };
  using api = await startSession({ respondents: [one], surveyIsAway: false, anonymity: "full" });
  const to = join(folder.path, "days.duckdb");
  const stop = new AbortController();
  const ended = syncUntil(stop.signal, api.session, { surveyId: "s", to, follow: true, pollMs: 5 });
  const read = () => api.lines.filter((line) => line.endsWith("respondents read: 1")).length;
  await vi.waitFor(() => expect(api.lines).toContainEqual(expect.stringContaining("is up to date")), 60_000);
  for (const value of [2, 3]) {
    one.answers = [answer("r1", value)];
    await vi.waitFor(() => expect(read()).toBe(value - 1), 60_000);
  }
  stop.abort(new Error("stopped"));
  await ended;
  using database = await openDatabase(to);
  expect(await database.read("SELECT value FROM answers")).toEqual([{ value: "3" }]);
});

test("files of Parquet have the rows that came just before an outage; a stop without follow is an error", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "canvass-sync-"));
  const state = { respondents: [respondent("r1")], surveyIsAway: true };
  using api = await startSession(state);
  const { session, lines } = api;
  const stop = new AbortController();
  const ended = syncUntil(stop.signal, session, { surveyId: "s", to: folder.path, follow: true, pollMs: 5 });
  const said = (text: string) =>
    vi.waitFor(() => expect(lines).toContainEqual(expect.stringContaining(text)), { timeout: 60_000, interval: 5 });
  // It waits for an API that is away at the start, too.
  await said("waiting for it, nothing is lost");
  expect(lines).toHaveLength(1);
  state.surveyIsAway = false;
  await said("is up to date");
  expect(lines[1]).toBe("The API answers again.");
  lines.splice(0);
  state.surveyIsAway = true;
  state.respondents.push(respondent("r2"));
  await said("waiting for it, nothing is lost");
  state.surveyIsAway = false;
  await said("The API answers again.");
  stop.abort(new Error("stopped"));
  expect(await ended).toMatchObject({ respondents: 2, stopped: true });
  using database = await openDatabase(join(folder.path, "canvass.duckdb"));
  const [counted] = await database.read(
    `SELECT count(*)::INTEGER AS rows FROM '${join(folder.path, "responses.parquet")}'`,
  );
  expect(counted).toEqual({ rows: 2 });

  // A script would take the incomplete copy for a complete one.
  const to = join(folder.path, "stopped.duckdb");
  // Other test files of the worker share a browser, whose listener would end it at the signal.
  const others = process.listeners("SIGINT");
  process.removeAllListeners("SIGINT");
  const stopped = sync.run({ survey: "s", to, follow: false } as never, {
    ...session,
    canvass: async () => {
      process.emit("SIGINT");
      return session.canvass();
    },
  });
  await expect(stopped).rejects.toThrow("Run it again");
  for (const listener of others) process.on("SIGINT", listener);
});
