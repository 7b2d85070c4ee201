import { hash } from "node:crypto";

export interface IdempotencyKey {
  workspaceId: string;
  /** Token, method and path. */
  scope: string;
  key: string;
  /** Keyed digest of the body (mac-body.ts); only this is stored. */
  bodyMac: Uint8Array;
  /** SHA-256 of the raw request body, which records of older versions contain instead. */
  bodySha256: Uint8Array;
}

export interface Replay {
  state: "replay";
  response: Uint8Array;
  requestId: string;
  answeredAt: Date;
}

export interface Reused {
  state: "reused";
}

export interface InProgress {
  state: "in_progress";
}

/** Key of the advisory lock. Two keys that collide (2^-64) would only exclude each other briefly. */
export function lockNumber({ workspaceId, scope, key }: IdempotencyKey): string {
  const digest = hash("sha256", [workspaceId, scope, key].join("\0"), "buffer");
  return digest.readBigInt64BE().toString();
}
