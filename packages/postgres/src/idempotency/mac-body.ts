import { createHmac } from "node:crypto";

/**
 * Creates the digest by which idempotency records recognize a body: HMAC-SHA-256 (RFC 2104) over owner and hash. The
 * hash of a short body, such as one rating, could be found by trying all; without the owner, equal bodies would have
 * equal digests. `keys` has the format of CANVASS_CURSOR_KEY: base64, comma-separated; the first is used. The label
 * separates these digests from others made with that key.
 */
export function createBodyMac(keys: string): (owner: readonly string[], bodySha256: Uint8Array) => Uint8Array {
  const secret = Buffer.from(keys.split(",", 1)[0]!, "base64");
  return (owner, bodySha256) =>
    createHmac("sha256", secret)
      .update(`idempotent body ${JSON.stringify(owner)}\n`)
      .update(bodySha256)
      .digest();
}
