import { longestCursor } from "@canvass/inputs";
import { createHmac, timingSafeEqual } from "node:crypto";

/** Opaque cursors for keyset paging (contract 2.7). */
export interface CursorCodec {
  /**
   * Returns the cursor after an item. `binding` names the list and everything that determines its items and their order
   * (workspace, parent, filters, sort). `position` is the item's sort key: texts and numbers.
   */
  encode(binding: CursorBinding, position: readonly (string | number)[]): string;
  /** Returns the position, or undefined if the cursor was altered or made with another key or binding. */
  decode(binding: CursorBinding, cursor: string): (string | number)[] | undefined;
}

export type CursorBinding = readonly (string | number | boolean | null | undefined)[];

const MAC_BYTES = 16;

/**
 * Creates a codec whose cursors carry a MAC (HMAC-SHA-256 cut to 128 bits, RFC 2104), so only cursors made with the
 * same key decode. `keys` has the format of CANVASS_CURSOR_KEY: base64, at least 32 bytes each, comma-separated. The
 * first key encodes, all decode. Throws if a key is shorter.
 */
export function createCursorCodec(keys: string): CursorCodec {
  const secrets = keys.split(",").map((key) => Buffer.from(key, "base64"));
  if (secrets.some(({ length }) => length < 32))
    throw new Error("each cursor key must have at least 32 bytes in base64");

  function mac(binding: CursorBinding, payload: string, secret: Buffer): Buffer {
    // JSON keeps different bindings distinct. Undefined counts as null.
    return createHmac("sha256", secret)
      .update(`${JSON.stringify(binding)}\n${payload}`)
      .digest()
      .subarray(0, MAC_BYTES);
  }

  return {
    encode(binding, position) {
      const payload = JSON.stringify(position);
      return Buffer.concat([mac(binding, payload, secrets[0]!), Buffer.from(payload)]).toString("base64url");
    },
    decode(binding, cursor) {
      if (cursor.length > longestCursor) return undefined;
      const bytes = Buffer.from(cursor, "base64url");
      // The decoder skips invalid characters; accept only the canonical encoding.
      if (bytes.length <= MAC_BYTES || bytes.toString("base64url") !== cursor) return undefined;
      const payload = bytes.toString("utf8", MAC_BYTES);
      const given = bytes.subarray(0, MAC_BYTES);
      if (!secrets.some((secret) => timingSafeEqual(mac(binding, payload, secret), given))) return undefined;
      return JSON.parse(payload) as (string | number)[];
    },
  };
}
