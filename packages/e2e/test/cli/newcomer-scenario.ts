import { runCanvass } from "@canvass/operator";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { createCanvass } from "@canvass/sdk";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { Webhook } from "svix";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { SharedSystem } from "../shared-system.ts";

const program = join(WORKSPACE_ROOT, "packages/operator/src/bin/canvass.ts");

/** Runs the scenario of a newcomer by the commands of `canvass` for callers. */
export function testNewcomerScenario(shared: SharedSystem): void {
  const open = new AsyncDisposableStack();
  const received: { headers: Record<string, string>; body: string }[] = [];
  let folder: string;
  let env: Record<string, string>;
  let forward: string;
  let token: string;
  let url: string;
  let surveyId: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "canvass-newcomer-"));
    open.defer(() => rm(folder, { recursive: true }));
    env = { HOME: folder, XDG_CONFIG_HOME: join(folder, "config"), XDG_STATE_HOME: join(folder, "state") };
    ({ token } = await shared.newWorkspace());
    url = new URL(shared.demo.system.local.baseUrl).origin;
    const take = async (request: IncomingMessage, response: ServerResponse) => {
      received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
      response.writeHead(204).end();
    };
    const receiver = createServer((request, response) => void take(request, response));
    await once(receiver.listen(0, "127.0.0.1"), "listening");
    open.defer(() => receiver.close().closeAllConnections());
    forward = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  });
  afterAll(() => open.disposeAsync());

  /** Runs a command in this process. Throws with its error if it prints no result. */
  async function outcome(...words: string[]): Promise<{ code: number; failure: string; result: object }> {
    let [printed, failure] = ["", ""];
    const output = { out: (line: string) => (printed += line), err: (line: string) => (failure += line) };
    const code = await runCanvass([...words, "--json"], env, output);
    if (printed === "") throw new Error(`exit code ${code}: ${failure}`);
    return { code, failure, result: JSON.parse(printed) as object };
  }

  /** Like `outcome`, but throws also unless the exit code is 0. */
  async function run(...words: string[]): Promise<Record<string, never>> {
    const { code, failure, result } = await outcome(...words);
    if (code !== 0) throw new Error(`exit code ${code}: ${failure}`);
    return result as Record<string, never>;
  }

  /** Starts the program as a user does. */
  function start(...words: string[]): { child: ChildProcess; output: () => string } {
    const child = spawn(process.execPath, [program, ...words], { env: { ...process.env, ...env } });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    open.defer(() => void child.kill("SIGKILL"));
    return { child, output: () => output };
  }

  test("a token is piped into login, kept for its owner only, and never shown", async () => {
    const { child, output } = start("login", "--url", `${url}/api/v1/`, "--token-stdin");
    child.stdin!.end(`${token}\n`);
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(output()).toBe(`You are logged in to ${url} (profile default).\n`);
    const path = join(folder, "config/canvass/profiles.json");
    expect([(await stat(path)).mode & 0o777, (await stat(join(path, ".."))).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await run("whoami")).toEqual({ url, tokenKind: "live", from: "profile default" });
  });

  test("a survey is published, and gets a link", async () => {
    const questions = [{ type: "rating" as const, text: "How was lunch?" }];
    ({ id: surveyId } = await createCanvass({ url, token }).surveys.create({ name: "Lunch", questions }));
    expect(await run("surveys", "publish", surveyId)).toMatchObject({ surveyId, publishedVersion: 1 });
    expect(await run("surveys", "list")).toMatchObject({ surveys: [{ id: surveyId, name: "Lunch" }], hasMore: false });
    expect(await run("surveys", "show", surveyId)).toMatchObject({ name: "Lunch", active: 1 });
    const link = await run("links", "create", surveyId, "--name", "Newsletter");
    expect(link).toMatchObject({ status: "active", url: expect.stringContaining("/s/") });
  });

  test("listen brings what trigger does to this machine, also what happened between two starts; Svix verifies it", async () => {
    const first = start("listen", "--forward", forward);
    await vi.waitFor(() => expect(first.output()).toContain("The signing secret is"), { timeout: 60_000 });
    await run("trigger", "response.completed", "--survey", surveyId);
    await vi.waitFor(() => expect(received).toHaveLength(1), { timeout: 60_000 });
    first.child.kill("SIGINT");
    expect(await once(first.child, "exit")).toEqual([0, null]);
    await run("trigger", "response.completed");
    const second = start("listen", "--forward", forward);
    await vi.waitFor(() => expect(received).toHaveLength(2), { timeout: 60_000 });
    second.child.kill("SIGINT");
    await once(second.child, "exit");
    const secret = /whsec_[\w+/=]+/.exec(first.output())![0];
    expect(second.output()).toContain(secret);
    const events = received.map(({ body, headers }) => {
      new Webhook(secret).verify(body, headers);
      return JSON.parse(body) as object;
    });
    expect(events).toMatchObject([{ data: { survey_id: surveyId } }, { type: "response.completed" }]);
    const eventId = received[0]!.headers["webhook-id"]!;
    const again = await run("trigger", "response.completed", "--event", eventId, "--forward", forward);
    expect(again).toMatchObject({ delivered: true, status: 204 });
    expect(received[2]).toMatchObject({ body: received[0]!.body, headers: { "webhook-id": eventId } });
    expect(await run("listen", "--forget")).toEqual({ url, subscription: "deleted" });
  });

  test("answers are exported to a file that is not overwritten", async () => {
    const out = join(folder, "answers.csv");
    expect(await run("responses", "export", surveyId, "--out", out)).toMatchObject({ file: out, rows: 1 });
    expect(await readFile(out, "utf8")).toContain("How was lunch?");
    await expect(run("responses", "export", surveyId, "--out", out)).rejects.toThrow("already exists");
    await run("responses", "export", surveyId, "--out", out, "--force");
  });

  test("a questionnaire and answers of another system are brought, and the survey is taken as a form", async () => {
    const [questionnaire, answers, form] = ["lunch.json", "old.csv", "lunch.xlsx"].map((name) => join(folder, name));
    const elements = [
      { type: "rating", name: "stars", title: "How was it?", isRequired: true },
      { type: "signaturepad", name: "sign" },
    ];
    await writeFile(questionnaire!, JSON.stringify({ title: "Old lunch", elements }));
    await expect(run("surveys", "import", questionnaire!)).rejects.toThrow(/code 2: .*give --format/);
    const words = ["surveys", "import", questionnaire!, "--format", "surveyjs"];
    const sign = expect.objectContaining({ name: "sign", outcome: "left_out", reasons: [expect.any(String)] });
    const told = { imported: 3, changed: 0, leftOut: 1, report: expect.arrayContaining([sign]) };
    const document = { name: "Old lunch", pages: [{ elements: [{ name: "stars" }] }] };
    expect(await run(...words, "--dry-run")).toMatchObject({ ...told, surveyId: null, document });
    expect(await run("surveys", "list", "--search", "Old")).toMatchObject({ surveys: [] });
    const imported = await run(...words);
    expect(imported).toMatchObject({ ...told, name: "Old lunch" });
    const id: string = imported["surveyId"]!;
    await run("surveys", "publish", id);

    await writeFile(answers!, "externalId,stars\nr1,4\nr2,9\n");
    const wrong = [{ line: 3, column: "stars", message: expect.any(String) }];
    const refused = { total: 2, failed: 1, violations: 1, errors: wrong };
    const bring = ["responses", "import", id, answers!];
    expect(await outcome(...bring, "--dry-run")).toMatchObject({ code: 1, result: { ...refused, rows: [{}, {}] } });
    expect(await outcome(...bring)).toMatchObject({
      code: 1,
      result: { ...refused, status: "completed", imported: 1 },
    });
    await writeFile(answers!, "externalId,stars\nr1,4\nr2,5\n");
    const brought = await run(...bring);
    expect(brought).toMatchObject({ imported: 1, skipped: 1, failed: 0 });
    const { file: _file, dryRun: _dryRun, ...asShown } = brought;
    expect(await run("imports", "show", brought["id"]!)).toEqual(asShown);
    expect(await run("imports", "show", brought["id"]!, "--wait")).toEqual(asShown);
    await writeFile(answers!, "externalId,moons\nr3,4\n");
    await expect(run(...bring)).rejects.toThrow("moons");

    expect(await run("surveys", "export", id, "--out", form!)).toMatchObject({ format: "xlsform", file: form });
    await expect(run("surveys", "export", id, "--out", form!)).rejects.toThrow("already exists");
    expect(await run("surveys", "import", form!, "--dry-run")).toMatchObject({ format: "xlsform", document });
    await expect(run("surveys", "export", id, "--out", "lunch.yaml")).rejects.toThrow("canvass pull");
  });

  test("after logout nobody is logged in", async () => {
    await run("logout");
    await expect(run("whoami")).rejects.toThrow("run: canvass login");
  });
}
