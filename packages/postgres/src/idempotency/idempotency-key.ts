import { hash } from "node:crypto";

export interface IdempotencyKey {
  workspaceId: string;
  /** Token, method and path. */
  scope: string;
  /** The caller's own `Idempotency-Key`. */
  key: string;
  /** The body's keyed digest (mac-body.ts), which is what is kept of it. */
  bodyMac: Uint8Array;
  /** SHA-256 of the raw request body: what older processes kept of it. */
  bodySha256: Uint8Array;
}

export interface Replay {
  state: "replay";
  response: Uint8Array;
  requestId: string;
  answeredAt: Date;
}

/** The key was used with another body. */
export interface Reused {
  state: "reused";
}

/** Another transaction holds the key. */
export interface InProgress {
  state: "in_progress";
}

/** The key's advisory lock. Two keys with one number (2^-64) would only wait for each other. */
export function lockNumber({ workspaceId, scope, key }: IdempotencyKey): string {
  const digest = hash("sha256", [workspaceId, scope, key].join("\0"), "buffer");
  return digest.readBigInt64BE().toString();
}
