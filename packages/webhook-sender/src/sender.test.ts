import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { signatureHeader, signedContent } from "./sender.ts";

const secretOf = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString("base64")}`;

test("the reference implementation accepts what is signed, with either of two secrets", () => {
  const key = fc.uint8Array({ minLength: 24, maxLength: 32 });
  fc.assert(
    fc.property(key, key, fc.json(), fc.string({ minLength: 1 }), (first, second, body, id) => {
      const timestamp = Math.floor(Date.now() / 1000);
      const header = signatureHeader(signedContent(id, timestamp, body), [secretOf(first), secretOf(second)]);
      const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": header };
      expect(header).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
      for (const secret of [first, second]) new Webhook(secretOf(secret)).verify(body, headers);
      expect(() => new Webhook(secretOf(new Uint8Array(24))).verify(body, headers)).toThrow(/signature/);
    }),
  );
});
