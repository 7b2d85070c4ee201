import { createHmac } from "node:crypto";

/**
 * Makes the digests by which records of idempotency keys know their bodies: HMAC-SHA-256 (RFC 2104) over owner and hash. A plain
 * hash of a short body, such as one rating, is found by trying all; a digest that were not bound to its owner would tell equal
 * bodies. `keys` are base64, separated by commas, as CANVASS_CURSOR_KEY holds them; the first one counts. Other digests are made
 * with it, too, hence the label.
 */
export function createBodyMac(keys: string): (owner: readonly string[], bodySha256: Uint8Array) => Uint8Array {
  const secret = Buffer.from(keys.split(",", 1)[0]!, "base64");
  return (owner, bodySha256) =>
    createHmac("sha256", secret)
      .update(`idempotent body ${JSON.stringify(owner)}\n`)
      .update(bodySha256)
      .digest();
}
