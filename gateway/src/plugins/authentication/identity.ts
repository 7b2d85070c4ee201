import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Caller } from "@canvass/proto/access";

/** The caller of a request, as the token service describes its token. */
export interface Identity {
  caller: Caller;
  /** The signed caller. */
  signedCaller: string;
  /** Scopes of the token. */
  held: ReadonlySet<string>;
  /** Scopes that the person's role also allows. */
  permitted: ReadonlySet<string>;
}

/** Services accept the caller until then, in milliseconds since 1970; at most until its token expires. */
export function expiryOf({ expiresAt }: Caller): number {
  return expiresAt ? timestampDate(expiresAt).getTime() : Number.POSITIVE_INFINITY;
}
