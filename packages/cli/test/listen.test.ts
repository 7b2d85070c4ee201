import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, test, vi } from "vitest";
import { deleteSubscription } from "../src/listen/feed-subscription.ts";
import { listenFolder } from "../src/listen/listener-state.ts";
import { listenUntil, type ListenWish } from "../src/listen/listen-until.ts";
import { openSession } from "../src/session/open-session.ts";
import { startSmallInstallation } from "./small-installation.ts";

type Installation = Awaited<ReturnType<typeof startSmallInstallation>>;

/** Starts `listen` in this process. */
function listen({ env, forward }: Installation, wish: Partial<ListenWish> = {}) {
  const stop = new AbortController();
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const around = { env, json: false, print: say, note: say, progress: () => {} };
  const ended = listenUntil(stop.signal, openSession(around, "default"), {
    forward,
    types: undefined,
    since: undefined,
    say,
    onEvent: () => {},
    pollMs: 5,
    pauseMs: () => 5,
    ...wish,
  });
  ended.catch(() => {});
  return { stop: () => stop.abort(new Error("stopped")), ended, lines };
}

/** Waits until what is asked for holds. */
const until = (holds: () => boolean) => vi.waitFor(() => expect(holds()).toBe(true), { timeout: 60_000, interval: 5 });

const started = ({ lines }: { lines: string[] }) => until(() => lines.length >= 2);
const ids = ({ received }: Installation) => received.map(({ id }) => id);

test("it forwards new events, signed by one secret over restarts, and none that was before its first start", async () => {
  await using installation = await startSmallInstallation();
  installation.happen(150);
  const first = listen(installation);
  await started(first);
  installation.happen(2);
  await until(() => installation.received.length === 2);
  first.stop();
  expect(await first.ended).toEqual({ delivered: 2, passedOver: 0 });
  installation.happen(1);
  const second = listen(installation);
  await until(() => installation.received.length === 3);
  second.stop();
  await second.ended;
  expect(ids(installation)).toEqual(["e150", "e151", "e152"]);
  expect(second.lines[1]).toBe(first.lines[1]);
  const [secret] = /whsec_[^:]+/.exec(first.lines[1]!)!;
  for (const { body, headers } of installation.received) {
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: "response.completed",
    });
  }
  expect(installation.subscriptions).toHaveLength(1);
  expect(second.lines[2]).toMatch(/^\d\d:\d\d:\d\d {2}response\.completed {2}e152 {2}204 {2}\d+ ms$/);
});

test("an empty feed at the first start loses nothing that happens before the second", async () => {
  await using installation = await startSmallInstallation();
  const first = listen(installation);
  await started(first);
  first.stop();
  await first.ended;
  installation.happen(3);
  const second = listen(installation);
  await until(() => installation.received.length === 3);
  second.stop();
  await second.ended;
  expect(ids(installation)).toEqual(["e0", "e1", "e2"]);
});

test("a stop at any request loses no event, and doubles none", async () => {
  await using installation = await startSmallInstallation();
  const first = listen(installation);
  await started(first);
  first.stop();
  await first.ended;
  installation.happen(4);
  for (let moment = 1; moment <= 14; moment++) {
    let seen = 0;
    let isOver = false;
    const running = listen(installation);
    installation.state.onRequest = () => void ((seen += 1) === moment && running.stop());
    const all = () => installation.received.length >= installation.events.length;
    const ended = running.ended.finally(() => (isOver = true));
    await until(() => isOver || all());
    running.stop();
    await ended;
    installation.happen(1);
  }
  installation.state.onRequest = () => {};
  const last = listen(installation);
  await until(() => installation.received.length >= installation.events.length);
  last.stop();
  await last.ended;
  expect(ids(installation)).toEqual(installation.events.map(({ id }) => id));
});

test("a receiver that is away is waited for; one that refuses is passed over after four attempts, with a remedy", async () => {
  await using installation = await startSmallInstallation();
  const running = listen(installation);
  await started(running);
  await installation.stop("hook");
  installation.happen(1);
  await until(() => running.lines.filter((line) => line.includes("ECONNREFUSED")).length > 6);
  installation.state.hookStatus = (id) => (id === "e1" ? 500 : 204);
  await installation.start("hook");
  await until(() => installation.received.length === 1);
  installation.happen(2);
  await until(() => ids(installation).includes("e2"));
  running.stop();
  expect(await running.ended).toEqual({ delivered: 2, passedOver: 1 });
  expect(ids(installation)).toEqual(["e0", "e1", "e1", "e1", "e1", "e2"]);
  expect(running.lines).toContainEqual(
    expect.stringContaining("canvass trigger response.completed --event e1 --forward"),
  );
});

test("an API that is away at the start is waited for", async () => {
  await using installation = await startSmallInstallation();
  installation.happen(1);
  await installation.stop("api");
  const listener = listen(installation);
  await until(() => listener.lines.length > 0);
  expect(listener.lines[0]).toMatch(/^The API is not reached; waiting for it/);
  await installation.start("api");
  await until(() => listener.lines.length >= 4);
  expect(listener.lines[1]).toBe("The API answers again.");
  listener.stop();
  expect(await listener.ended).toEqual({ delivered: 0, passedOver: 0 });
});

test("while the API is unavailable it waits and says so; it resumes without loss", async () => {
  await using installation = await startSmallInstallation();
  const running = listen(installation);
  await started(running);
  installation.happen(1);
  await until(() => installation.received.length === 1);
  await installation.stop("api");
  installation.happen(2);
  await until(() => running.lines.some((line) => line.startsWith("The API is not reached; waiting")));
  await installation.start("api");
  await until(() => installation.received.length === 3);
  expect(running.lines.filter((line) => line.startsWith("The API "))).toEqual([
    expect.stringContaining("is not reached"),
    "The API answers again.",
  ]);
  running.stop();
  await running.ended;
  expect(ids(installation)).toEqual(["e0", "e1", "e2"]);
}, 90_000);

test("a revoked token ends it; the next start goes on behind the last event", async () => {
  await using installation = await startSmallInstallation();
  const first = listen(installation);
  await started(first);
  installation.happen(1);
  await until(() => installation.received.length === 1);
  installation.state.valid = false;
  installation.happen(1);
  await expect(first.ended).rejects.toMatchObject({ code: "invalid_token" });
  installation.state.valid = true;
  const second = listen(installation);
  await until(() => installation.received.length === 2);
  second.stop();
  await second.ended;
  expect(ids(installation)).toEqual(["e0", "e1"]);
});

test("a state that cannot be written ends it with a sentence; the event comes again under the same id", async () => {
  await using installation = await startSmallInstallation();
  const first = listen(installation);
  await started(first);
  const folder = listenFolder(installation.env);
  const [name] = (await readdir(folder)).filter((each) => each.endsWith(".json"));
  // A folder in the place of the new file fails like a full disk.
  const draft = join(folder, `${name}.${process.pid}.new`);
  await mkdir(draft);
  await writeFile(join(draft, "x"), "");
  installation.happen(1);
  await expect(first.ended).rejects.toThrow("cannot be written");
  await rm(draft, { recursive: true });
  const second = listen(installation);
  await until(() => installation.received.length === 2);
  second.stop();
  await second.ended;
  expect(ids(installation)).toEqual(["e0", "e0"]);
});

test("a second one for the same address is refused; one for another address has a secret of its own", async () => {
  await using installation = await startSmallInstallation();
  const first = listen(installation);
  await started(first);
  await expect(listen(installation).ended).rejects.toThrow("Another `canvass listen` forwards to");
  const other = listen(installation, { forward: `${installation.forward}/other` });
  await started(other);
  expect(other.lines[1]).not.toBe(first.lines[1]);
  installation.happen(1);
  await until(() => installation.received.length === 2);
  for (const each of [first, other]) each.stop();
  await Promise.all([first.ended, other.ended]);
  expect(ids(installation)).toEqual(["e0", "e0"]);
});

test("a second one that only shows events is refused", async () => {
  await using installation = await startSmallInstallation();
  installation.happen(1);
  let seen = 0;
  const wish = { forward: undefined, since: Date.parse("2026-01-01"), onEvent: () => void (seen += 1) };
  const first = listen(installation, wish);
  await until(() => seen === 1);
  await expect(listen(installation, wish).ended).rejects.toThrow("Another `canvass listen` shows events already");
  first.stop();
  expect(await first.ended).toMatchObject({ passedOver: 0 });
});

test("since selects the start, and forgetting deletes the subscription", async () => {
  await using installation = await startSmallInstallation();
  installation.happen(130);
  for (const event of installation.events.slice(0, 127)) event.timestamp = "2026-11-20T00:00:00.000Z";
  const running = listen(installation, { since: Date.parse("2026-11-25") });
  await until(() => installation.received.length === 3);
  running.stop();
  await running.ended;
  expect(ids(installation)).toEqual(["e127", "e128", "e129"]);
  const around = { env: installation.env, json: false, print: () => {}, note: () => {}, progress: () => {} };
  expect(await deleteSubscription(await openSession(around, "default").canvass())).toBe(true);
  expect(installation.subscriptions).toEqual([]);
});

test("a deleted feed subscription is created again and reported; the next start continues from it", async () => {
  await using installation = await startSmallInstallation();
  const first = listen(installation, { watchMs: 0 });
  await started(first);
  installation.happen(1);
  await until(() => installation.received.length === 1);
  installation.subscriptions.splice(0);
  await until(() =>
    first.lines.some((line) => line.startsWith("The feed subscription was deleted, and is made again")),
  );
  expect(installation.subscriptions).toHaveLength(1);
  installation.happen(1);
  await until(() => installation.received.length === 2);
  first.stop();
  await first.ended;
  // Another process may have made a second one at the same moment.
  installation.subscriptions.unshift({ ...installation.subscriptions[0]!, id: "of-another" });
  installation.happen(1);
  const second = listen(installation);
  await until(() => installation.received.length === 3);
  second.stop();
  await second.ended;
  expect(ids(installation)).toEqual(["e0", "e1", "e2"]);
});

test("a start that finds the subscription deleted goes on behind the last event, and tells of it", async () => {
  await using installation = await startSmallInstallation();
  const first = listen(installation);
  await started(first);
  installation.happen(1);
  await until(() => installation.received.length === 1);
  first.stop();
  await first.ended;
  installation.happen(2);
  installation.subscriptions.splice(0);
  const second = listen(installation);
  await until(() => installation.received.length === 3);
  second.stop();
  await second.ended;
  expect(ids(installation)).toEqual(["e0", "e1", "e2"]);
  expect(second.lines[0]).toMatch(/^The feed subscription was deleted, and is made again/);
});

test("an installation that was made anew under its address is listened to from new events on", async () => {
  await using installation = await startSmallInstallation();
  installation.happen(3);
  const first = listen(installation);
  await started(first);
  first.stop();
  await first.ended;
  installation.subscriptions.splice(0);
  installation.events.splice(0);
  installation.happen(1);
  const second = listen(installation);
  await started(second);
  installation.happen(1);
  await until(() => installation.received.length === 1);
  second.stop();
  await second.ended;
  expect(ids(installation)).toEqual(["e1"]);
});

test("it runs as a user that the system does not name, as in a container", async () => {
  await using installation = await startSmallInstallation();
  using _imports = { [Symbol.dispose]: syncBuiltinESMExports };
  using _user = vi.spyOn(os, "userInfo").mockImplementation(() => {
    throw new Error("A system error occurred: uv_os_get_passwd returned ENOENT (no such file or directory)");
  });
  syncBuiltinESMExports();
  const running = listen(installation);
  await started(running);
  running.stop();
  await running.ended;
  const name = `canvass listen (user ${process.getuid?.()} on ${os.hostname()})`;
  expect(installation.subscriptions).toMatchObject([{ name }]);
});
