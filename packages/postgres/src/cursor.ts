import { longestCursor } from "@canvass/inputs";
import { createHmac, timingSafeEqual } from "node:crypto";

/** Opaque cursors for keyset paging (contract 2.7). */
export interface CursorCodec {
  /** `binding` names the list and all that determines it (workspace, filters, sort). `position` is the sort key. */
  encode(binding: CursorBinding, position: readonly (string | number)[]): string;
  /** Returns the position, or undefined if the cursor was altered or made with another key or binding. */
  decode(binding: CursorBinding, cursor: string): (string | number)[] | undefined;
}

export type CursorBinding = readonly (string | number | boolean | null | undefined)[];

const MAC_BYTES = 16;

/** Cursors carry an HMAC (RFC 2104). `keys` are base64 of at least 32 bytes, comma-separated; the first one encodes. */
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
      // The decoder skips invalid characters, so only the canonical encoding is accepted.
      if (bytes.length <= MAC_BYTES || bytes.toString("base64url") !== cursor) return undefined;
      const payload = bytes.toString("utf8", MAC_BYTES);
      const given = bytes.subarray(0, MAC_BYTES);
      if (!secrets.some((secret) => timingSafeEqual(mac(binding, payload, secret), given))) return undefined;
      return JSON.parse(payload) as (string | number)[];
    },
  };
}
