import { testReceiver, type ReceivedRequest } from "@canvass/testing/https-receiver";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { describe, expect, test } from "vitest";
import { createWebhookSender } from "../src/index.ts";

const secretOf = (fill: number): string => `whsec_${Buffer.alloc(32, fill).toString("base64")}`;
const [older, newer, stranger] = [secretOf(1), secretOf(2), secretOf(3)] as const;
const body = '{"type":"response.completed","timestamp":"2026-03-01T12:00:00.000Z","data":{"name":"Zoë \\u0000 😀"}}';

const receiver = await sharedByFile(testReceiver());

/** Sends a message with this timestamp, and returns the request that arrives. */
async function sendAndReceive(secrets: string[], timestamp = Math.floor(Date.now() / 1000)): Promise<ReceivedRequest> {
  await using webhooks = createWebhookSender({ allowedCidrs: ["127.0.0.0/8"], extraCa: receiver.ca });
  receiver.requests.length = 0;
  await webhooks.send({ url: receiver.url, webhookId: "01h8x7m3k5p9r2tb", timestamp, body, secrets });
  return receiver.requests[0]!;
}

describe.each([
  ["standardwebhooks", (secret: string) => new StandardWebhook(secret)],
  ["svix", (secret: string) => new SvixWebhook(secret)],
])("with %s a receiver", (_library, library) => {
  const verify = (secret: string, { body: text, headers }: Pick<ReceivedRequest, "body" | "headers">) =>
    library(secret).verify(text, headers as Record<string, string>);

  test("accepts a message, byte for byte", async () => {
    const message = await sendAndReceive([older]);
    verify(older, message);
    expect(message.body).toBe(body);
  });

  test("accepts it with either secret after a rotation, the newest first, and with no other", async () => {
    const message = await sendAndReceive([newer, older]);
    for (const secret of [newer, older]) verify(secret, message);
    expect(() => verify(stranger, message)).toThrow("No matching signature found");
    const [first] = String(message.headers["webhook-signature"]).split(" ");
    const cut = { ...message, headers: { ...message.headers, "webhook-signature": first } };
    verify(newer, cut);
    expect(() => verify(older, cut)).toThrow("No matching signature found");
  });

  test("refuses another body, id or time", async () => {
    const message = await sendAndReceive([older]);
    const changed = (headers: object, text = message.body) => ({
      body: text,
      headers: { ...message.headers, ...headers },
    });
    expect(() => verify(older, changed({}, `${message.body} `))).toThrow("No matching signature found");
    expect(() => verify(older, changed({}, message.body.replace("Zoë", "Zoe")))).toThrow("No matching signature found");
    expect(() => verify(older, changed({ "webhook-id": "01h8x7m3k5p9r2tc" }))).toThrow("No matching signature found");
    const later = String(Number(message.headers["webhook-timestamp"]) + 1);
    expect(() => verify(older, changed({ "webhook-timestamp": later }))).toThrow("No matching signature found");
  });

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("refuses a message without %s", async (name) => {
    const { body: text, headers } = await sendAndReceive([older]);
    const { [name]: _removed, ...others } = headers;
    expect(() => verify(older, { body: text, headers: others })).toThrow("Missing required headers");
  });

  test("refuses what was signed more than five minutes ago, or ahead", async () => {
    const now = Math.floor(Date.now() / 1000);
    for (const timestamp of [now - 330, now + 330]) {
      const message = await sendAndReceive([older], timestamp);
      expect(() => verify(older, message)).toThrow(/timestamp|too (old|new)/i);
    }
    verify(older, await sendAndReceive([older], now - 240));
  });
});
