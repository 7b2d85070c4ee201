import { runCanvass } from "@canvass/operator";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { createCanvass, type Canvass } from "@canvass/sdk";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SharedSystem } from "../shared-system.ts";
import { startCuttingProxy, type Fault } from "./cutting-proxy.ts";

const program = join(WORKSPACE_ROOT, "packages/operator/src/bin/canvass.ts");

const lunch = (name: string) => `name: ${name}
pages:
  - key: start
    elements:
      - key: stars
        type: rating
        text: How was lunch?
      - key: dish
        type: multiple_choice
        text: Which dish?
        choices:
          - { key: soup, text: Soup }
          - { key: salad, text: Salad }
`;

/** Tests surveys as code: pull, plan, apply and copy, also when killed at any write. */
export function testSurveysAsCode(shared: SharedSystem): void {
  const resources = new AsyncDisposableStack();
  let folder: string;
  let env: Record<string, string>;
  let canvass: Canvass;
  let proxy: Awaited<ReturnType<typeof startCuttingProxy>>;
  let count = 0;
  let name: string;
  let file: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "canvass-code-"));
    resources.defer(() => rm(folder, { recursive: true }));
    const { token } = await shared.newWorkspace();
    proxy = resources.use(await startCuttingProxy(new URL(shared.demo.system.local.baseUrl).origin));
    const own = { HOME: folder, XDG_CONFIG_HOME: join(folder, "config"), XDG_STATE_HOME: join(folder, "state") };
    env = { ...own, CANVASS_URL: proxy.url, CANVASS_TOKEN: token };
    canvass = createCanvass({ url: new URL(shared.demo.system.local.baseUrl).origin, token });
  });
  afterAll(() => resources.disposeAsync());
  beforeEach(() => {
    count += 1;
    name = `Lunch ${count}`;
    file = join(folder, `lunch-${count}.yaml`);
  });

  type Ended = { code: number; stderr: string; surveyId?: string; [member: string]: unknown };

  /** Runs a command in this process. */
  async function run(...words: string[]): Promise<Ended> {
    let [stdout, stderr] = ["", ""];
    const output = { out: (line: string) => (stdout += line), err: (line: string) => (stderr += line) };
    const code = await runCanvass([...words, "--json"], env, output);
    return { code, stderr, ...(JSON.parse(stdout || "{}") as object) };
  }

  /** Runs a command without `--json`. Returns standard output and standard error together. */
  async function runAsText(...words: string[]) {
    let output = "";
    await runCanvass(words, env, { out: (line) => (output += line), err: (line) => (output += line) });
    return output;
  }

  /** Runs a command in its own process and kills it before or after a request. */
  async function runAndKill(words: string[], on: Fault["on"], moment: "before" | "after") {
    const child = spawn(process.execPath, [program, ...words], { env: { ...process.env, ...env } });
    const exit = once(child, "exit");
    const kill = async () => {
      child.kill("SIGKILL");
      await exit;
    };
    proxy.set({ on, [moment]: kill, cut: moment });
    expect((await exit)[1], words.join(" ")).toBe("SIGKILL");
  }

  const edit = async (from: string, to: string) => {
    const text = await readFile(file, "utf8");
    expect(text).toContain(from);
    await writeFile(file, text.replace(from, to));
  };
  const createSurvey = async () => {
    await writeFile(file, lunch(name));
    const applied = await run("apply", file);
    expect(applied).toMatchObject({ code: 0, created: true, publishedVersion: 1 });
    return applied.surveyId!;
  };
  const answer = async (surveyId: string) => {
    const { data } = await canvass.api.listElements({ path: { surveyId } });
    const [stars] = data.data;
    const { respondentId } = await canvass.responses.start(surveyId);
    const value = { elementId: stars!.id, type: "rating" as const, value: 4 };
    await canvass.responses.submit(surveyId, { respondentId, responses: [value] });
  };
  const surveysNamed = async () => {
    const found = [];
    for await (const survey of canvass.surveys.list({ q: name })) if (survey.name === name) found.push(survey);
    return found;
  };
  const requestTo =
    (method: string, end: string): Fault["on"] =>
    (request) =>
      request.method === method && request.path.endsWith(end);

  test("a new file creates a survey and publishes it; a second apply does nothing, and a plan has nothing to tell", async () => {
    await writeFile(file, lunch(name));
    expect(await run("plan", file, "--check")).toMatchObject({ code: 1, surveyId: null, upToDate: false });
    expect(await surveysNamed()).toEqual([]);
    const surveyId = await createSurvey();
    const state = await readFile(`${file}.state.json`, "utf8");
    const { etag } = await canvass.surveys.get(surveyId);
    const again = await run("apply", file);
    expect(again).toMatchObject({ code: 0, surveyId, created: false, wrote: [], publishedVersion: null });
    expect(await readFile(`${file}.state.json`, "utf8")).toBe(state);
    expect((await canvass.surveys.get(surveyId)).etag).toBe(etag);
    expect(await run("plan", file, "--check")).toMatchObject({ code: 0, upToDate: true, drift: false, diff: null });
    const copy = join(folder, "pulled.yaml");
    expect(await run("pull", surveyId, copy)).toMatchObject({ code: 0, changed: true });
    expect((await readFile(copy, "utf8")).split("\n")[0]).toMatch(
      /^# yaml-language-server: \$schema=http.*schema\.json$/,
    );
    expect(await run("plan", copy, "--check")).toMatchObject({ code: 0, upToDate: true });
  });

  test("what affects results is shown with its class, and published only if it is acknowledged", async () => {
    const surveyId = await createSurvey();
    await answer(surveyId);
    await edit("How was lunch?", "How was dinner?");
    await edit("- { key: salad", "- { key: bread, text: Bread }\n          - { key: salad");
    await edit("        text: Which dish?", "        text: Which dish?\n        required: true");
    await writeFile(
      file,
      `${await readFile(file, "utf8")}      - { key: why, type: short_text, text: Why?, required: true }\n`,
    );
    const before = await canvass.surveys.get(surveyId);
    const plan = await run("plan", file, "--check");
    expect(plan).toMatchObject({
      code: 1,
      class: "results_affecting",
      writes: ["pages"],
      drift: false,
      baseVersion: 1,
    });
    expect(await runAsText("plan", file)).toMatch(
      /\n-.*How was lunch\?\n\+.*How was dinner\?[^]*results_affecting {2}Rewords the question “How was lunch\?” to “How was dinner\?”\. +1 answer\n/,
    );
    const refused = await run("apply", file);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining("give --acknowledge results_affecting"),
    ]);
    expect((await canvass.surveys.get(surveyId)).etag).toBe(before.etag);
    expect(await run("apply", file, "--acknowledge", "results_affecting")).toMatchObject({
      code: 0,
      wrote: ["pages"],
      publishedVersion: 2,
    });
    expect(await run("apply", file)).toMatchObject({ code: 0, wrote: [], publishedVersion: null });
  });

  test("what others changed is told, and overwritten only with `--overwrite`; a pull keeps changes of the file", async () => {
    const surveyId = await createSurvey();
    await (await canvass.surveys.get(surveyId)).update({ description: "By hand" });
    const plan = await run("plan", file);
    expect(plan).toMatchObject({ code: 0, drift: true, writes: ["description"] });
    expect(await runAsText("plan", file)).toContain("was changed since it was last pulled or applied");
    const refused = await run("apply", file);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("give --overwrite")]);
    const kept = await run("pull", surveyId, file);
    expect([kept.code, kept.stderr]).toEqual([1, expect.stringContaining("has changes of its own")]);
    expect(await readFile(file, "utf8")).toBe(lunch(name));
    expect(await run("pull", surveyId, file, "--force")).toMatchObject({ code: 0, changed: true });
    expect(await run("plan", file, "--check")).toMatchObject({ code: 0, upToDate: true });
    await (await canvass.surveys.get(surveyId)).update({ description: "By another hand" });
    expect(await run("pull", surveyId, file)).toMatchObject({ code: 0, changed: true });
    await (await canvass.surveys.get(surveyId)).update({ description: "" });
    expect(await run("apply", file, "--overwrite")).toMatchObject({ code: 0, wrote: ["description"] });
    expect((await canvass.surveys.get(surveyId)).description).toBe("By another hand");
  });

  test("a wrong file is refused with every violation and its place, and writes nothing", async () => {
    await writeFile(file, lunch(name).replace("type: rating", "type: stars").replace("name:", "nme:"));
    const refused = await run("apply", file);
    expect(refused.code).toBe(1);
    for (const place of ["name: ", "nme: ", "pages.0.elements.0.type: "]) expect(refused.stderr).toContain(place);
    await writeFile(file, "name: [");
    expect((await run("apply", file)).stderr).toContain("line 1");
    expect((await readdir(folder)).filter((each) => each.startsWith(basename(file)))).toEqual([basename(file)]);
    expect(await surveysNamed()).toEqual([]);
    const surveyId = await createSurvey();
    const { etag } = await canvass.surveys.get(surveyId);
    await writeFile(file, lunch(name).replace(/ {4}elements:[^]*/, "    elements: []\n"));
    const unpublishable = await run("apply", file);
    expect([unpublishable.code, unpublishable.stderr]).toEqual([
      1,
      expect.stringContaining("--draft writes the draft"),
    ]);
    expect((await canvass.surveys.get(surveyId)).etag).toBe(etag);
    expect(await run("apply", file, "--draft")).toMatchObject({ code: 0, wrote: ["pages"], publishedVersion: null });
  });

  test("killed at any write, the next apply goes on: one survey, each version once", async () => {
    await writeFile(file, lunch(name));
    const onImport = requestTo("POST", "/surveys/import");
    await runAndKill(["apply", file], onImport, "before");
    await edit("How was lunch?", "How is lunch?");
    await runAndKill(["apply", file], onImport, "after");
    await runAndKill(["apply", file], requestTo("POST", "/publish"), "after");
    expect(await run("apply", file)).toMatchObject({ code: 0, publishedVersion: null });
    await edit("How is lunch?", "How was it?");
    await runAndKill(["apply", file], requestTo("PUT", "/document"), "after");
    await runAndKill(["apply", file], requestTo("POST", "/publish"), "before");
    const last = await run("apply", file);
    expect([last.code, last.stderr]).toEqual([0, expect.any(String)]);
    const found = await surveysNamed();
    expect(found).toMatchObject([{ id: last.surveyId, publishedVersion: 2 }]);
    expect((await canvass.surveys.document(found[0]!.id)).text).toContain("How was it?");
    expect(await run("plan", file, "--check")).toMatchObject({ code: 0 });
  }, 120_000);

  test("a cut connection, another writer and a revoked token in the middle lose and double nothing", async () => {
    await writeFile(file, lunch(name));
    proxy.set({ on: requestTo("POST", "/surveys/import"), cut: "after" });
    const { surveyId } = await run("apply", file);
    expect(await surveysNamed()).toMatchObject([{ id: surveyId, publishedVersion: 1 }]);
    await edit("How was lunch?", "How was dinner?");
    const byAnother = async () => (await canvass.surveys.get(surveyId!)).update({ description: "Other" });
    proxy.set({ on: requestTo("PUT", "/document"), before: byAnother });
    const overtaken = await run("apply", file);
    expect([overtaken.code, overtaken.stderr]).toEqual([
      1,
      expect.stringMatching(/changed meanwhile; nothing was written.*run canvass apply again/),
    ]);
    expect((await canvass.surveys.get(surveyId!)).description).toBe("Other");
    proxy.set({ on: requestTo("PUT", "/document"), after: () => (proxy.token = `${env["CANVASS_TOKEN"]}x`) });
    const revoked = await run("apply", file, "--overwrite");
    expect([revoked.code, revoked.stderr]).toEqual([1, expect.stringMatching(/Wrote [^]*canvass login/)]);
    proxy.token = undefined;
    expect(await run("apply", file)).toMatchObject({ code: 0, wrote: [], publishedVersion: 2 });
  }, 60_000);

  test("a survey is copied, also into the workspace of another login", async () => {
    const surveyId = await createSurvey();
    await (await canvass.surveys.get(surveyId)).update({ settings: { access: { password: "sesame" } } });
    const copied = await run("surveys", "copy", surveyId, "--name", `${name} b`);
    expect(copied).toMatchObject({ code: 0, name: `${name} b`, copiedFrom: surveyId, withoutPassword: false });
    expect((await canvass.surveys.get(copied.surveyId!)).settings.access?.password).toBe(true);
    const { token } = await shared.newWorkspace();
    const url = new URL(shared.demo.system.local.baseUrl).origin;
    const other = createCanvass({ url, token });
    const login = spawn(process.execPath, [program, "login", "--url", url, "--token-stdin", "--profile", "other"], {
      env: { ...process.env, ...env },
    });
    login.stdin.end(`${token}\n`);
    expect(await once(login, "exit")).toEqual([0, null]);
    const there = await run("surveys", "copy", surveyId, "--to-profile", "other");
    expect(there.withoutPassword).toBe(true);
    expect(await other.surveys.get(there.surveyId!)).toMatchObject({ name, questionCount: 2 });
  }, 60_000);
}
