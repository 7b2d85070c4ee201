import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Caller } from "@canvass/proto/access";

/** Who makes a request: what the token service says about its token, in the forms the gateway needs. */
export interface Identity {
  caller: Caller;
  /** What services verify. */
  signedCaller: string;
  /** Scopes of the token. */
  held: ReadonlySet<string>;
  /** Those of them that the person's role allows. */
  permitted: ReadonlySet<string>;
}

/** Until when services accept the caller, in milliseconds since 1970: at most until its token expires. */
export function expiryOf({ expiresAt }: Caller): number {
  return expiresAt ? timestampDate(expiresAt).getTime() : Number.POSITIVE_INFINITY;
}
