import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { verifyWebhook } from "./verify-webhook.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = JSON.stringify({
  type: "response.completed",
  timestamp: "2026-11-26T00:00:00.000Z",
  data: { survey_id: "s1" },
});

function headersOf(at = new Date(), by = secret): Record<string, string> {
  const signature = new Webhook(by).sign("evt1", at, body);
  return {
    "webhook-id": "evt1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": signature,
  };
}

test("an event is returned with its id, from text or bytes, and headers of every kind", () => {
  const event = { id: "evt1", ...(JSON.parse(body) as object) };
  expect(verifyWebhook(body, headersOf(), secret)).toEqual(event);
  expect(verifyWebhook(Buffer.from(body), new Headers(headersOf()), secret)).toEqual(event);
  const titled = Object.fromEntries(Object.entries(headersOf()).map(([name, value]) => [name.toUpperCase(), [value]]));
  expect(verifyWebhook(new TextEncoder().encode(body), titled, secret)).toEqual(event);
});

test("of two signatures one has to match", () => {
  const other = headersOf(new Date(), "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
  const both = `${other["webhook-signature"]} ${headersOf()["webhook-signature"]}`;
  expect(verifyWebhook(body, { ...headersOf(), "webhook-signature": both }, secret).type).toBe("response.completed");
});

test.each([
  ["a changed body", body.replace("s1", "s2"), headersOf()],
  ["another secret", body, headersOf(new Date(), "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")],
  ["an old timestamp", body, headersOf(new Date(Date.now() - 6 * 60_000))],
  ["a missing header", body, { ...headersOf(), "webhook-id": undefined }],
  ["no body", "", headersOf()],
])("%s is refused", (_what, sent, headers) => {
  expect(() => verifyWebhook(sent, headers, secret)).toThrow(expect.objectContaining({ code: "invalid_signature" }));
});
