import { anyFreePort, waitFor } from "@canvass/testing";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { WORKSPACE_ROOT } from "@canvass/processes";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DemoSystem, OtherWorkspace } from "../../src/index.ts";
import type { SharedSystem } from "../shared-system.ts";
import { completeRespondent, publishSmallSurvey, type SmallSurvey } from "../small-survey.ts";

const running = new AsyncDisposableStack();
let demo: DemoSystem;
let workspace: OtherWorkspace;
let survey: SmallSurvey;
let folder: string;
let port: string;
/** The page's code blocks by name, with a free port instead of 8443. */
let blocks: Map<string, string>;
const env: NodeJS.ProcessEnv = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` };

function blocksOf(html: string): Map<string, string> {
  const found = html.matchAll(/<figure data-name="([^"]+)">.*?<code[^>]*>(.*?)<\/code>/gs);
  return new Map([...found].map(([, name, code]) => [name!, textOf(code!).replaceAll("8443", port)]));
}

const characters: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const textOf = (html: string): string => html.replaceAll(/&(#?\w+);/g, (_, name: string) => characters[name]!);

/** Runs one of the page's commands. Returns its parsed output. */
async function command(name: string) {
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-euo", "pipefail", "-c", blocks.get(name)!], {
    cwd: folder,
    env,
  });
  return JSON.parse(stdout);
}

/** Runs the page's receiver. Returns the lines printed so far; the list grows. */
async function startReceiver(secret: string): Promise<string[]> {
  const lines: string[] = [];
  const program = join(folder, "receiver.mjs");
  const child = spawn("node", [program], { cwd: folder, env: { ...env, WEBHOOK_SECRET: secret }, stdio: "pipe" });
  running.defer(() => void child.kill("SIGKILL"));
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const all = (rest + text).split("\n");
    rest = all.pop()!;
    lines.push(...all);
  });
  await waitFor(() => lines.includes("listening"), { describe: "the receiver" });
  return lines;
}

async function catchUp(cursor: string): Promise<string[]> {
  const options = { cwd: folder, env: { ...env, CURSOR: cursor } };
  const { stdout } = await promisify(execFile)("node", ["catch-up.mjs"], options);
  return stdout.trimEnd().split("\n");
}

const schemaOf = (document: object, name: string): object =>
  (document as { components: { schemas: Record<string, object> } }).components.schemas[name]!;

/** Tests the page about receiving webhooks: its commands and its receiver. */
export function testReceiversPage(shared: SharedSystem): void {
  beforeAll(async () => {
    ({ demo } = shared);
    folder = await mkdtemp(join(tmpdir(), "canvass-receiver-"));
    running.defer(() => rm(folder, { recursive: true }));
    const { ca, key, cert } = demo.receiver.receiver.certificates;
    const files = { "ca.pem": ca, "key.pem": key, "cert.pem": cert };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await symlink(join(WORKSPACE_ROOT, "packages/e2e/node_modules"), join(folder, "node_modules"));
    workspace = await shared.newWorkspace();
    survey = await publishSmallSurvey(workspace.api);
    port = String(await anyFreePort());
    blocks = blocksOf(await (await fetch(new URL("/docs/webhooks", demo.system.local.baseUrl))).text());
    for (const [name, code] of blocks) if (name.endsWith(".mjs")) await writeFile(join(folder, name), code);
    Object.assign(env, { CANVASS_TOKEN: workspace.token, CANVASS_API: demo.system.local.baseUrl, PORT: port });
  });
  afterAll(() => running.disposeAsync());

  test("who follows the page receives, verifies, rotates, redelivers and catches up", async () => {
    const { data: created } = await command("create");
    expect(created).toMatchObject({ status: "active", url: `https://localhost:${port}/` });
    env["SUBSCRIPTION_ID"] = created.id;
    const lines = await startReceiver(created.secret);

    const { data: tested } = await command("test");
    expect(tested).toMatchObject({ outcome: "success", status_code: 204 });
    expect(lines).toContainEqual(expect.stringMatching(`^${tested.webhook_id} webhook.test .*This is a test`));

    const { body: events } = await workspace.api.get("/asyncapi.json");
    const isTest = formats.default(new Ajv({ strict: false })).compile(schemaOf(events, "WebhookTestEvent"));
    const { webhook_id: id, webhook_timestamp: time, signed_content: signed } = tested;
    expect(isTest(JSON.parse(signed.slice(`${id}.${time}.`.length)))).toBe(true);

    const arrived = async (respondentId: string) =>
      waitFor(() => lines.find((line) => line.includes(`"response_id":"${respondentId}"`)), {
        describe: "the webhook of a completion",
        timeoutMs: 60_000,
      });
    const first = await arrived(await completeRespondent(workspace.api, survey));

    // The receiver still has the former secret, which the second signature matches.
    const { data: rotated } = await command("rotate");
    expect(rotated.secret).toMatch(/^whsec_/);
    const second = await arrived(await completeRespondent(workspace.api, survey));

    const { data: range } = await command("redeliver");
    expect(range).toMatchObject({ status: "failed", deliveries: 0 });

    const caughtUp = await waitFor(
      async () => {
        const printed = await catchUp("");
        return printed.length === 3 && printed;
      },
      { describe: "both events in the feed", timeoutMs: 60_000 },
    );
    expect(caughtUp.slice(0, 2)).toEqual([first, second]);
    const cursor = caughtUp[2]!.replace("go on at ", "");
    expect(await catchUp(cursor)).toEqual([`go on at ${cursor}`]);
  });

  test("the page's receiver refuses what is not signed", async () => {
    const insecure = ["-sS", "--cacert", "ca.pem", "-w", " %{http_code}", "-d", "{}", `https://localhost:${port}/`];
    const { stdout } = await promisify(execFile)("curl", insecure, { cwd: folder, env });
    expect(stdout).toBe("Missing required headers 400");
  });
}
