import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Rights } from "@canvass/access";
import type { Caller } from "@canvass/proto/access";

/** Identifies a caller: SHA-256 of the token value, and the requested workspace ("": the token's own). */
export interface Credential {
  tokenSha256: Uint8Array;
  workspaceId: string;
}

/** The caller of a request, as the token service describes its token. */
export interface Identity extends Rights {
  caller: Caller;
  /** The signed caller. */
  signedCaller: string;
}

/** Services accept the caller until then, in milliseconds since 1970; at most until its token expires. */
export function expiryOf({ expiresAt }: Caller): number {
  return expiresAt ? timestampDate(expiresAt).getTime() : Number.POSITIVE_INFINITY;
}
