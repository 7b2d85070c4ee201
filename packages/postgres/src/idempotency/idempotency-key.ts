import { hash } from "node:crypto";

/** Whose key it is, and the fingerprint of the body it came with. */
export interface IdempotencyKey {
  workspaceId: string;
  /** Where the key counts: token, method and path, in whatever form the caller uses always. */
  scope: string;
  /** The caller's own `Idempotency-Key`. */
  key: string;
  /** SHA-256 of the raw request body. */
  bodySha256: Uint8Array;
}

/** The answer of an earlier request, to be given again. */
export interface Replay {
  state: "replay";
  /** The bytes recorded with the write. */
  response: Uint8Array;
  requestId: string;
  answeredAt: Date;
}

/** The key was used with another body. */
export interface Reused {
  state: "reused";
}

/** Another transaction holding this key has not ended yet. */
export interface InProgress {
  state: "in_progress";
}

/** The number of the key's advisory lock. Two keys that share one (a chance of 2^-64) would only make one wait. */
export function lockNumber({ workspaceId, scope, key }: IdempotencyKey): string {
  const digest = hash("sha256", [workspaceId, scope, key].join("\0"), "buffer");
  return digest.readBigInt64BE().toString();
}
