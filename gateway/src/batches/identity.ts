import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Rights } from "@canvass/access";
import type { Caller } from "@canvass/proto/access";

/** Identifies a caller: SHA-256 of the token value, and the requested workspace ("": the token's own). */
export interface Credential {
  tokenSha256: Uint8Array;
  workspaceId: string;
}

export interface Identity extends Rights {
  caller: Caller;
  signedCaller: string;
}

/** When services stop accepting the caller, in milliseconds since 1970. Not later than the token's own expiry. */
export function expiryOf({ expiresAt }: Caller): number {
  return expiresAt ? timestampDate(expiresAt).getTime() : Number.POSITIVE_INFINITY;
}
