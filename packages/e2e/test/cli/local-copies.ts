import { runCanvass } from "@canvass/operator";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { anyFreePort, programEnvironment, waitFor } from "@canvass/testing";
import { DuckDBInstance } from "@duckdb/node-api";
import * as fc from "fast-check";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OtherWorkspace } from "../../src/index.ts";
import type { SharedSystem } from "../shared-system.ts";
import { completeRespondent, publishSmallSurvey, startRespondent, type SmallSurvey } from "../small-survey.ts";

const program = join(WORKSPACE_ROOT, "packages/operator/src/bin/canvass.ts");

/** Tests `canvass sync` with a real system, killed at its requests. */
export function testLocalCopies(shared: SharedSystem): void {
  let folder: string;
  let workspace: OtherWorkspace;
  let survey: SmallSurvey;
  let proxy: Server;
  let url: string;
  /** Called at each request of `sync`. */
  let onRequest = (): void => {};
  /** While true, connections are cut. */
  let isAway = false;
  let leaving: string;

  const at = (name: string) => join(folder, name);
  const environment = (more: Record<string, string> = {}) => ({
    ...programEnvironment(),
    HOME: folder,
    CANVASS_URL: url,
    CANVASS_TOKEN: workspace.token,
    ...more,
  });
  const start = (file: string, ...more: string[]) =>
    spawn(process.execPath, [program, "sync", survey.surveyId, "--to", at(file), "--json", ...more], {
      env: environment(),
    });
  async function run(file: string, env?: Record<string, string>, surveyId = survey.surveyId) {
    let [stdout, stderr] = ["", ""];
    const output = { out: (line: string) => (stdout += line), err: (line: string) => (stderr += line) };
    const words = ["sync", surveyId, "--to", at(file), "--json"];
    const code = await runCanvass(words, environment(env), output);
    return { code, stderr, result: stdout === "" ? undefined : JSON.parse(stdout) };
  }

  /** Kills a run at its n-th request. Returns whether it ended before. */
  async function killAt(file: string, requests: number): Promise<boolean> {
    const child: ChildProcess = start(file);
    let seen = 0;
    onRequest = () => void (++seen === requests && child.kill("SIGKILL"));
    const [code] = (await once(child, "exit")) as [number | null];
    onRequest = () => {};
    return code !== null;
  }

  async function contentOf(file: string, responses = "SELECT * FROM responses ORDER BY ALL") {
    const instance = await DuckDBInstance.create(at(file), { access_mode: "READ_ONLY" });
    const connection = await instance.connect();
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
    const content = {
      respondents: await read("SELECT * EXCLUDE (walk) FROM respondents ORDER BY ALL"),
      answers: await read("SELECT * FROM answers ORDER BY ALL"),
      responses: await read(responses),
    };
    connection.closeSync();
    instance.closeSync();
    return content;
  }

  /** What an uninterrupted run into a new file reads. */
  async function freshContent() {
    expect(await run("fresh.duckdb")).toMatchObject({ code: 0 });
    const content = await contentOf("fresh.duckdb");
    await rm(at("fresh.duckdb"));
    return content;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "canvass-sync-"));
    workspace = await shared.newWorkspace();
    survey = await publishSmallSurvey(workspace.api);
    const { baseUrl } = shared.demo.system.local;
    proxy = createServer((incoming, outgoing) => {
      onRequest();
      if (isAway) return void outgoing.destroy();
      const target = new URL(incoming.url!, baseUrl);
      const forwarded = request(target, { method: incoming.method, headers: incoming.headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      });
      forwarded.on("error", () => outgoing.destroy());
      incoming.pipe(forwarded);
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const words = ["fill", "--survey", survey.surveyId, "--responses", "350", "--base-url", baseUrl];
    const quiet = { out: () => {}, err: () => {} };
    expect(await runCanvass([...words, "--token", workspace.token], {}, quiet)).toBe(0);
    leaving = await startRespondent(workspace.api, survey);
  });
  afterAll(async () => {
    proxy?.close().closeAllConnections();
    await rm(folder, { recursive: true });
  });

  test("killed at any request, it goes on, and ends as one that was not", async () => {
    for (const requests of fc.sample(fc.integer({ min: 1, max: 12 }), 5)) await killAt("killed.duckdb", requests);
    expect(await run("killed.duckdb")).toMatchObject({ code: 0, result: { respondents: 351 } });
    const content = await contentOf("killed.duckdb");
    expect(content).toEqual(await freshContent());
    expect(content.responses).toHaveLength(351);
    expect(Object.keys(content.responses[0]!).filter((name) => name.startsWith("q_"))).toHaveLength(3);
    expect(await run("killed.duckdb")).toMatchObject({ code: 0, result: { read: 0 } });
  });

  test("changes, answers taken back, completions without answers and erasures are followed, killed or not", async () => {
    const { api } = workspace;
    const { surveyId, ratingId, textId } = survey;
    const submit = (respondentId: string, responses: object[], more: object = { metadata: { complete: false } }) =>
      api.post(`/response/surveys/${surveyId}`, { respondentId, responses, ...more });
    const before = await contentOf("killed.duckdb");
    const erased = before.answers[0]!["respondent_id"] as string;
    await submit(leaving, [{ elementId: ratingId, value: 2 }]);
    await submit(leaving, [{ elementId: textId, value: "Too loud." }]);
    await run("killed.duckdb");
    await submit(leaving, [{ elementId: ratingId, value: 5 }]);
    await submit(leaving, [{ elementId: textId, value: null }]);
    await api.call("DELETE", `/response/surveys/${surveyId}/respondents/${erased}`);
    await completeRespondent(api, survey);
    for (const requests of fc.sample(fc.integer({ min: 1, max: 12 }), 3)) await killAt("killed.duckdb", requests);
    expect((await run("killed.duckdb")).code).toBe(0);
    await submit(leaving, [], { metadata: { complete: true } });
    expect((await run("killed.duckdb")).code).toBe(0);
    const after = await contentOf("killed.duckdb");
    expect(JSON.stringify(after)).not.toContain(erased);
    const [left] = after.responses.filter(({ respondent_id: id }) => id === leaving);
    expect(left).toMatchObject({ status: "completed", [`q_${ratingId}`]: "5", [`q_${textId}`]: null });
    expect(after).toEqual(await freshContent());
  });

  test("Parquet files have the same rows; a column whose name is taken has the element's id appended", async () => {
    const { api } = workspace;
    const elements = ["status", "overall"].map((key) => ({ key, type: "short_text", text: key }));
    const settings = { privacy: { anonymity: "full" } };
    const document = { name: "From a document", settings, pages: [{ key: "start", elements }] };
    const { id: surveyId } = (await api.post("/surveys/import", document)).data;
    await api.post(`/surveys/${surveyId}/publish`, {}, { "if-match": "*" });
    const { data: list } = await api.get(`/surveys/${surveyId}/elements`);
    const [status, overall] = list.map(({ id }: { id: string }) => id) as [string, string];
    const { respondentId } = (await api.post(`/response/surveys/${surveyId}/respondents`, {})).data;
    const submit = (elementId: string, value: string) => {
      const answer = { respondentId, responses: [{ elementId, value }], metadata: { complete: false } };
      return api.post(`/response/surveys/${surveyId}`, answer);
    };
    const parquet = async () => {
      expect(await run("parquet", {}, surveyId)).toMatchObject({ code: 0, result: { respondents: 1 } });
      return contentOf("parquet/canvass.duckdb", `FROM '${at("parquet/responses.parquet")}'`);
    };
    await submit(status, "fine");
    expect((await parquet()).responses).toMatchObject([
      { status: "started", [`status_${status}`]: "fine", overall: null },
    ]);
    await submit(status, "better");
    await submit(overall, 'it\'s "good"');
    expect((await parquet()).responses).toMatchObject([{ [`status_${status}`]: "better", overall: 'it\'s "good"' }]);
  });

  test("one that follows reads what happens, waits while the API is away, and keeps others out until Ctrl-C", async () => {
    const following = start("killed.duckdb", "--follow");
    const printed = text(following.stdout);
    let said = "";
    following.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await waitFor(() => said.includes("is up to date"), { describe: "the copy to be up to date" });
    expect(await run("killed.duckdb")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("open in another process"),
    });
    await completeRespondent(workspace.api, survey);
    await waitFor(() => said.includes("respondents read: 1"), { describe: "the completion" });
    isAway = true;
    await waitFor(() => said.includes("The API is not reached"), { describe: "the outage", timeoutMs: 60_000 });
    await completeRespondent(workspace.api, survey);
    isAway = false;
    const read = () => said.match(/respondents read: 1$/gm)?.length === 2;
    await waitFor(read, { describe: "the completion meanwhile", timeoutMs: 60_000 });
    following.kill("SIGINT");
    expect(await once(following, "exit")).toEqual([0, null]);
    expect(JSON.parse(await printed)).toMatchObject({ stopped: true });
    expect(await contentOf("killed.duckdb")).toEqual(await freshContent());
  });

  test("whatever is refused is told in a sentence", async () => {
    const { data } = await workspace.api.post("/tokens", { name: "short-lived", scopes: ["full_access"] });
    expect((await run("other.duckdb", { CANVASS_TOKEN: data.token })).code).toBe(0);
    await workspace.api.call("DELETE", `/tokens/${data.id}`);
    const revoked = await run("other.duckdb", { CANVASS_TOKEN: data.token });
    expect(revoked).toMatchObject({ code: 1, stderr: expect.stringMatching(/token.*canvass login/i) });
    const away = await run("killed.duckdb", { CANVASS_URL: `http://127.0.0.1:${await anyFreePort()}` });
    expect(away).toMatchObject({ code: 3, stderr: expect.stringContaining("not reached") });
    await writeFile(at("text.duckdb"), "This is no database.".repeat(1_000));
    expect(await run("text.duckdb")).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be used") });
    const { surveyId } = await publishSmallSurvey(workspace.api);
    expect(await run("killed.duckdb", {}, surveyId)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("has survey"),
    });
  });
}
