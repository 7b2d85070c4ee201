import { createHmac } from "node:crypto";

/**
 * Returns a function that makes the HMAC-SHA-256 (RFC 2104) of owner and hash: a plain hash of a short body, such as one rating,
 * could be guessed. Uses the first of `keys` (base64, comma-separated).
 */
export function createBodyMac(keys: string): (owner: readonly string[], bodySha256: Uint8Array) => Uint8Array {
  const secret = Buffer.from(keys.split(",", 1)[0]!, "base64");
  return (owner, bodySha256) =>
    createHmac("sha256", secret)
      // The label separates these digests from others made with the same key (CANVASS_CURSOR_KEY).
      .update(`idempotent body ${JSON.stringify(owner)}\n`)
      .update(bodySha256)
      .digest();
}
