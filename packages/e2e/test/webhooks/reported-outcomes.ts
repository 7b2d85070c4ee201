import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "@canvass/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SharedSystem } from "../shared-system.ts";
import { openWebhookScene, type Hook, type WebhookScene } from "../webhook-scene.ts";

let scene: WebhookScene;
let hook: Hook;

const attempts = async () => (await scene.api.get(`${hook.path}/deliveries`)).data.flatMap(attemptsOf);
const attemptsOf = ({ attempts: made }: { attempts: { attempted_at: string }[] }) => made;
const subscription = async () => (await scene.api.get(hook.path)).data;

/** Completes a respondent. Returns its newest attempt as soon as the list shows it. */
async function attemptOfCompletion() {
  const { length } = await attempts();
  await scene.complete();
  const seen = await waitFor(
    async () => {
      const found = await attempts();
      return found.length > length ? found : undefined;
    },
    { describe: "the attempt in the list" },
  );
  return seen[0];
}

/** Tests that the subscription shows the outcomes of its attempts, and that owners get a mail when it is disabled. */
export function testReportedOutcomes(shared: SharedSystem): void {
  beforeAll(async () => {
    scene = await openWebhookScene(shared);
    hook = await scene.addHook();
  });
  afterAll(() => scene?.[Symbol.asyncDispose]());

  test("the subscription never denies what the list of deliveries has shown", async () => {
    let failures = 0;
    for (const status of [204, 500, 204, 500, 500, 204]) {
      hook.status = status;
      failures = status === 204 ? 0 : failures + 1;
      const attempt = await attemptOfCompletion();
      const shown = await subscription();
      expect(shown).toMatchObject({ status: "active", consecutive_failures: failures });
      if (status === 204) expect(shown.last_success_at).toBe(attempt.attempted_at);
    }
  });

  test("an endpoint that answers 410 is disabled, and owners get a mail with the reason", async () => {
    hook.status = 410;
    expect(await attemptOfCompletion()).toMatchObject({ outcome: "gone", status_code: 410 });
    expect(await subscription()).toMatchObject({ status: "disabled", status_reason: "gone" });
    const text = await waitFor(mailAboutDisabling, { describe: "the mail" });
    expect(text).toContain("410 Gone");
    expect(text).toContain("set the status of the subscription to active");
  });
}

async function mailAboutDisabling(): Promise<string | undefined> {
  const directory = join(scene.demo.dataDir, "mail");
  const files = (await readdir(directory)).filter((name) => name.endsWith(".eml"));
  const mails = await Promise.all(files.map((name) => readFile(join(directory, name), "utf8")));
  // Joins the lines that mails break with a trailing `=`.
  return mails.find((mail) => mail.includes("Subject: Webhook disabled: "))?.replaceAll("=\r\n", "");
}
