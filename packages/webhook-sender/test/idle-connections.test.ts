import { startSeverableLink } from "@canvass/testing";
import { testReceiver } from "@canvass/testing/https-receiver";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { beforeEach, describe, expect, test } from "vitest";
import { createAddressPolicy } from "../src/address-policy.ts";
import { createConnections, type ConnectionsOptions } from "../src/connections.ts";
import { exchange } from "../src/exchange.ts";
import { createWebhookSender, type WebhookMessage } from "../src/index.ts";
import { startLateEnds } from "./late-ends.ts";

const receiver = await sharedByFile(testReceiver());
beforeEach(() => {
  receiver.answer(200);
  receiver.requests.length = 0;
});

describe("idle connections", () => {
  const open = (options: Partial<ConnectionsOptions> = {}) => {
    const policy = createAddressPolicy({ allowedCidrs: ["127.0.0.0/8"] });
    return createConnections({ policy, extraCa: receiver.ca, idleMs: 60_000, ...options });
  };
  /** Whether a request to the path went over a kept connection. */
  async function isReused(connections: ReturnType<typeof open>, path: string): Promise<boolean> {
    const target = { url: new URL(path, receiver.url), servername: undefined, address: "127.0.0.1" };
    const { statusCode, reused } = await exchange(connections, target, { headers: {}, body: "{}" }, 20_000);
    expect(statusCode).toBe(200);
    return reused;
  }

  test("are kept for their endpoint", async () => {
    using connections = open();
    expect(await isReused(connections, "/a")).toBe(false);
    expect(await isReused(connections, "/b")).toBe(false);
    expect(await isReused(connections, "/a")).toBe(true);
  });

  test("are bounded in all, and the oldest goes", async () => {
    using connections = open({ maxIdle: 2 });
    for (const path of ["/a", "/b", "/a", "/c"]) await isReused(connections, path);
    expect(await isReused(connections, "/a")).toBe(true);
    expect(await isReused(connections, "/c")).toBe(true);
    expect(await isReused(connections, "/b")).toBe(false);
  });

  test("are closed after their time, without a hint of the receiver", async () => {
    await using link = await startSeverableLink({ host: "127.0.0.1", port: receiver.port });
    using connections = open({ idleMs: 50 });
    const target = { url: new URL(`https://127.0.0.1:${link.port}/`), servername: undefined, address: "127.0.0.1" };
    await exchange(connections, target, { headers: {}, body: "{}" }, 20_000);
    await expect.poll(() => link.connections, { timeout: 20_000 }).toBe(0);
  });
});

describe("a receiver that closes idle connections, of which the sender learns late", () => {
  const sender = () =>
    createWebhookSender({ allowedCidrs: ["127.0.0.0/8"], extraCa: receiver.ca, shareLookupsMs: 0, idleMs: 60_000 });
  const message = (port: number, changes: Partial<WebhookMessage> = {}): WebhookMessage => ({
    url: `https://127.0.0.1:${port}/hook`,
    webhookId: "evt1",
    timestamp: 1_772_366_400,
    body: "{}",
    secrets: [`whsec_${Buffer.alloc(24, 7).toString("base64")}`],
    ...changes,
  });
  const sentIds = () => receiver.requests.map(({ headers }) => headers["webhook-id"]);

  // gunicorn closes after two seconds, uvicorn after five, load balancers after sixty: always before the next message.
  test("costs no attempt", async () => {
    await using link = await startLateEnds(receiver.port);
    await using webhooks = sender();
    for (let number = 1; number <= 20; number++) {
      const sent = await webhooks.send(message(link.port, { webhookId: `evt${number}` }));
      expect(sent).toMatchObject({ outcome: "success", statusCode: 200 });
      await link.closeReceiverEnds();
    }
    expect(sentIds()).toEqual(Array.from({ length: 20 }, (_, index) => `evt${index + 1}`));
    // Each but the first was written to a closed connection before.
    expect(link.lateWrites).toBe(19);
  });

  test("costs no attempt where it has closed several", async () => {
    await using link = await startLateEnds(receiver.port);
    await using webhooks = sender();
    let arrived = 0;
    const all = Promise.withResolvers<number>();
    receiver.answer(() => ((arrived += 1) === 8 ? all.resolve(200) : undefined, all.promise));
    await Promise.all(Array.from({ length: 8 }, () => webhooks.send(message(link.port))));
    await link.closeReceiverEnds();
    for (let number = 1; number <= 8; number++) {
      expect(await webhooks.send(message(link.port))).toMatchObject({ outcome: "success" });
    }
    // One showed that all are closed.
    expect(link.lateWrites).toBe(1);
  });

  test("costs a retry nothing, since that opens a connection", async () => {
    await using link = await startLateEnds(receiver.port);
    await using webhooks = sender();
    await webhooks.send(message(link.port));
    await link.closeReceiverEnds();
    expect(await webhooks.send(message(link.port, { newConnection: true }))).toMatchObject({ outcome: "success" });
    expect(link.lateWrites).toBe(0);
  });

  test("is sent a message at most twice", async () => {
    await using webhooks = sender();
    await webhooks.send(message(receiver.port, { webhookId: "kept" }));
    receiver.answer("close");
    const broken = await webhooks.send(message(receiver.port, { webhookId: "again" }));
    expect(broken).toMatchObject({ outcome: "connection_error", reason: "reset" });
    expect(sentIds()).toEqual(["kept", "again", "again"]);
  });

  test("is not sent a message again once it has begun to respond", async () => {
    await using webhooks = sender();
    await webhooks.send(message(receiver.port));
    receiver.answer("gibberish");
    expect(await webhooks.send(message(receiver.port))).toMatchObject({
      outcome: "connection_error",
      reason: "bad_http",
    });
    expect(receiver.requests).toHaveLength(2);
  });
});
