import { runCanvass } from "@canvass/operator";
import { waitFor } from "@canvass/testing";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { readFeed, type ApiClient, type DemoSystem } from "../../src/index.ts";
import type { Databases } from "../databases.ts";
import type { SharedSystem } from "../shared-system.ts";
import { openWebhookScene, type Hook, type WebhookScene } from "../webhook-scene.ts";

let scene: WebhookScene;
let demo: DemoSystem;
let api: ApiClient;
let databases: Databases;
let hook: Hook;

const patch = async (body: object) => {
  const answer = await api.call("PATCH", hook.path, { body });
  expect(answer.status, answer.raw).toBe(200);
  return answer.data;
};
const complete = () => scene.complete();
const requestsAbout = (respondentId: string) =>
  hook.received.filter(({ body }) => JSON.parse(body).data.response_id === respondentId);
const arrived = (respondentId: string) => waitFor(() => requestsAbout(respondentId)[0], { describe: "the webhook" });
const inFeed = (respondentId: string) =>
  waitFor(async () => (await readFeed(api)).events.some(({ data }) => data["response_id"] === respondentId), {
    describe: "the completion in the feed",
  });

/** Tests subscriptions: secrets, pauses, mails, and operator actions. Kills the webhook service once. */
export function testSubscriptions(shared: SharedSystem): void {
  beforeAll(async () => {
    scene = await openWebhookScene(shared);
    ({ demo, api, databases } = scene);
  });
  afterAll(() => scene?.[Symbol.asyncDispose]());

  beforeEach(async (context) => {
    hook = await scene.addHook();
    context.onTestFinished(() => hook.remove());
  });

  test("after a rotation two signatures come; standardwebhooks and svix verify each with its secret", async () => {
    const before = await arrived(await complete());
    expect(before.headers["webhook-signature"]).toMatch(/^v1,\S+$/);
    const rotated = await api.call("POST", `${hook.path}/rotate-secret`);
    expect(rotated.status, rotated.raw).toBe(200);
    const { secret: second, previous_secret_expires_at: until } = rotated.data;
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(86_000_000);
    const { body, headers } = await arrived(await complete());
    expect(headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
    for (const known of [second, hook.secret]) {
      const strings = headers as Record<string, string>;
      new Webhook(known).verify(body, strings);
      new SvixWebhook(known).verify(body, strings);
    }
    const stranger = `whsec_${Buffer.alloc(32).toString("base64")}`;
    expect(() => new SvixWebhook(stranger).verify(body, headers as Record<string, string>)).toThrow(
      "No matching signature found",
    );
    // A second rotation ends the first secret.
    const { data } = await api.post(`${hook.path}/rotate-secret`);
    demo.receiver.trust(data.secret);
    const last = await arrived(await complete());
    expect(() => new Webhook(hook.secret).verify(last.body, last.headers as Record<string, string>)).toThrow(
      "No matching signature found",
    );
    new Webhook(second).verify(last.body, last.headers as Record<string, string>);
  });

  test("what happens while it is paused is not sent, not even later; what was queued goes on", async () => {
    hook.status = 503;
    const queued = await complete();
    await arrived(queued);
    expect(await patch({ status: "paused" })).toMatchObject({ status: "paused", status_reason: null });
    hook.status = 204;
    const unheard = await complete();
    await inFeed(unheard);
    expect(await patch({ status: "active", name: "CRM 2" })).toMatchObject({
      status: "active",
      name: "CRM 2",
      consecutive_failures: 0,
    });
    const heard = await complete();
    await arrived(heard);
    const list = async () => (await api.get(`${hook.path}/deliveries`)).data;
    await waitFor(async () => (await list()).every((each: { status: string }) => each.status === "delivered"), {
      describe: "what was queued to be delivered",
    });
    expect(requestsAbout(queued).length).toBeGreaterThan(1);
    expect(requestsAbout(unheard)).toEqual([]);
    expect(await list()).toHaveLength(2);
  });

  async function canvass(...words: string[]) {
    const run = { code: 0, out: "", err: "" };
    const output = { out: (text: string) => (run.out += text), err: (text: string) => (run.err += text) };
    run.code = await runCanvass([...words, "--json"], { CANVASS_DATA_DIR: demo.dataDir }, output);
    return run;
  }
  const rotateKey = () => canvass("secrets", "rotate");

  test("an operator rotates the key of secrets under load; killed in the middle it goes on with the next call", async () => {
    await arrived(await complete());
    const [first] = await Promise.all([rotateKey(), complete(), complete()]);
    expect([first.code, first.err]).toEqual([0, ""]);
    const { complete: isComplete, keyId, keys } = JSON.parse(first.out);
    expect([isComplete, keys]).toEqual([true, [{ keyId, secrets: 1, unknown: false }]]);
    await arrived(await complete());
    // The rotation creates the key, then waits for this lock before it can seal the secret.
    await databases.query("webhook", "BEGIN");
    await databases.query("webhook", "SELECT FROM subscription_secrets FOR UPDATE");
    const cut = rotateKey();
    const blocked = `SELECT FROM pg_stat_activity WHERE datname = 'canvass_webhook' AND wait_event_type = 'Lock'`;
    await waitFor(async () => (await databases.query("token", blocked)).length > 0, { describe: "it to wait" });
    await demo.system.kill("webhook", "SIGKILL");
    expect(await cut).toMatchObject({ code: 3, err: expect.stringContaining("cannot be reached") });
    await databases.query("webhook", "COMMIT");
    await arrived(await complete());
    const second = await waitFor(
      async () => {
        const run = await rotateKey();
        return run.code === 0 ? run : undefined;
      },
      { describe: "the webhook service" },
    );
    const outcome = JSON.parse(second.out);
    expect(outcome).toMatchObject({ complete: true, resumed: true, resealed: 1, keys: [{ secrets: 1 }] });
    expect(outcome.keyId).not.toBe(keyId);
    const { body, headers } = await arrived(await complete());
    new Webhook(hook.secret).verify(body, headers as Record<string, string>);
  });

  test("an operator exports the whole workspace, and it cannot come where it is", async () => {
    await arrived(await complete());
    const directory = await mkdtemp(join(tmpdir(), "canvass-moving-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    const [key, file] = [join(directory, "move.key"), join(directory, "acme.age")];
    const made = await canvass("workspace", "key", "--out", key);
    const recipient = ["--recipient", JSON.parse(made.out).recipient as string];
    const workspace = ["--workspace", scene.workspaceId];
    const exported = await waitFor(
      async () => {
        const run = await canvass("workspace", "export", ...workspace, ...recipient, "--out", file);
        // Refused while events of the tests before are under way.
        return run.code === 0 && run;
      },
      { describe: "an export" },
    );
    expect(exported.err).toBe("");
    const { rows } = JSON.parse(exported.out) as { rows: Record<string, number> };
    expect(Object.keys(rows)).toEqual(["token", "survey", "distribution", "response", "webhook", "delivery"]);
    const sealed = await readFile(file);
    for (const hidden of [hook.secret.slice(6), scene.workspaceId]) expect(sealed.includes(hidden)).toBe(false);
    const refused = await canvass("workspace", "import", "--file", file, "--key", key);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining("survey: surveys has rows of this workspace"),
    });
    expect(refused.err).toContain("webhook: subscriptions has rows");
    await writeFile(file, sealed.subarray(0, -1000));
    const cut = await canvass("workspace", "import", "--file", file, "--key", key);
    expect(cut).toMatchObject({ code: 1, err: expect.stringContaining(`${file} cannot be read`) });
    const nowhere = ["--workspace", "0000000000000000", ...recipient, "--out", join(directory, "none.age")];
    expect(await canvass("workspace", "export", ...nowhere)).toMatchObject({ code: 1 });
    expect((await readdir(directory)).toSorted()).toEqual(["acme.age", "move.key"]);
  });

  test("owner gets a mail about each change: what, which, by whom and where to, but no path and no secret", async () => {
    const moved = new URL("/hidden-path", demo.receiver.url).href;
    await patch({ url: moved });
    await api.post(`${hook.path}/rotate-secret`);
    const subjects = ["Webhook added", "Webhook address changed", "Webhook secret replaced"];
    const directory = join(demo.dataDir, "mail");
    async function mails(): Promise<string[]> {
      const texts = await Promise.all(
        (await readdir(directory)).map((name) => readFile(join(directory, name), "utf8")),
      );
      return texts.filter((text) => text.includes(hook.id));
    }
    await waitFor(async () => (await mails()).length >= 3, { describe: "three mails" });
    await waitFor(async () => (await databases.query("webhook", "SELECT 1 FROM outbox_events")).length === 0, {
      describe: "every event to be confirmed",
    });
    const texts = await mails();
    expect(texts).toHaveLength(3);
    for (const subject of subjects) {
      const [mail, ...others] = texts.filter((text) => text.includes(`Subject: ${subject}`));
      expect(others).toEqual([]);
      expect(mail).toContain(new URL(moved).host);
      expect(mail).toContain("text/plain");
      expect(mail).toContain("text/html");
    }
    const all = texts.join("\n");
    for (const hidden of ["hidden-path", hook.secret.slice(6), "/hook"]) expect(all).not.toContain(hidden);
    const { data: audit } = await api.get(`/audit-log?resource=${hook.id}`);
    expect(audit.map(({ action }: { action: string }) => action)).toEqual([
      "subscription.secret_rotated",
      "subscription.updated",
      "subscription.created",
    ]);
  });
}
