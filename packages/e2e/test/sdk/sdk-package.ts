import { createCanvass, type Canvass } from "@canvass/sdk";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SharedSystem } from "../shared-system.ts";
import { createPackageUser, type PackageUser } from "./package-user.ts";
import type { Way } from "./readme-programs.ts";

/** Runs the programs of the SDK's README with the packed package, as modules of one kind. */
export function testSdkPackage(shared: SharedSystem, sdk: { readonly tarball: string }, way: Way): void {
  const open = new AsyncDisposableStack();
  afterAll(() => open.disposeAsync());

  let user: PackageUser;
  let canvass: Canvass;
  let surveyId = "";
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "canvass-sdk-user-"));
    open.defer(() => rm(folder, { recursive: true }));
    const url = new URL(shared.demo.system.local.baseUrl).origin;
    const { token } = await shared.newWorkspace();
    const env = { CANVASS_URL: url, CANVASS_TOKEN: token };
    user = await createPackageUser(folder, { tarball: sdk.tarball, way, env });
    canvass = createCanvass({ url, token });
    await canvass.events.subscribe({ name: "From the beginning" });
  });

  test("quick-start.mjs creates and publishes a survey, and reads an answer", async () => {
    const output = await user.run("quick-start.mjs");
    expect(output).toMatch(/^People answer survey \w{16} at http.+\/s\/\S+\n5 2\d{3}-\S+\n$/);
    surveyId = /survey (\w+)/.exec(output)![1]!;
    expect(await canvass.surveys.get(surveyId)).toMatchObject({ name: "Lunch", active: 1 });
  });

  test("answers.mjs lists answers and downloads them as a file", async () => {
    expect(await user.run("answers.mjs", surveyId)).toMatch(/^1 answers to 1 question\n0 %\n(?:\d+ %\n)*100 %\n$/);
    expect(await readFile(join(user.folder, "answers.csv"), "utf8")).toMatch(/How was lunch\?[^]*\b5\b/);
  });

  test("follow.mjs goes on after the last event when it is restarted", async () => {
    const first = user.start("follow.mjs");
    await first.until(new RegExp(`response.completed ${surveyId}`));
    await first.stop();
    const again = user.start("follow.mjs");
    await user.run("quick-start.mjs");
    await again.until(/response\.completed/);
    await again.stop();
    expect(first.output()).toMatch(/^.+\n$/);
    expect(again.output()).toMatch(/^.+\n$/);
    expect(again.output()).not.toContain(surveyId);
  });

  test("receiver.mjs accepts the system's webhook and refuses a forged one", async () => {
    const { receiver } = shared.demo;
    const webhook = await canvass.webhooks.create({ name: "Receiver", url: `${receiver.url}/${randomUUID()}` });
    const secret = webhook.secret!;
    receiver.trust(secret);
    const program = user.start("receiver.mjs", [], { WEBHOOK_SECRET: secret, PORT: "0" });
    const [, port] = await program.until(/listening on (\d+)/);
    receiver.intercept(async ({ body, headers }) => {
      const signed = Object.entries(headers).filter(([name]) => name.startsWith("webhook-"));
      const sent = await fetch(`http://127.0.0.1:${port}`, {
        method: "POST",
        headers: Object.fromEntries(signed) as Record<string, string>,
        body,
      });
      return sent.status;
    });
    expect(await canvass.webhooks.test(webhook.id)).toMatchObject({ status_code: 204 });
    receiver.intercept(undefined);
    const forged = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body: "{}" });
    await program.stop();
    expect(forged.status).toBe(400);
    expect(program.output()).toMatch(/^listening.+\n\S+ webhook\.test\n$/);
  });

  test("rename.mjs renames a survey, and shows a refusal", async () => {
    expect(await user.run("rename.mjs", surveyId, "Supper")).toBe("renamed\n");
    expect(await user.run("rename.mjs", surveyId, "")).toContain("name");
    expect(await canvass.surveys.get(surveyId)).toMatchObject({ name: "Supper" });
  });

  test("respondent.mjs answers by a link without a token", async () => {
    const [link] = await Array.fromAsync(canvass.links.list(surveyId));
    expect(await user.run("respondent.mjs", link!.code!)).toBe("Supper 1\n");
    expect(user.left()).toEqual([]);
  });
}
