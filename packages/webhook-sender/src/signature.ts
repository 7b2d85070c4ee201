import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";

const PREFIX = "whsec_";
const keys = new LRUCache<string, KeyObject>({ max: 10_000 });

/** Returns the signed content (contract 8.7). `timestamp` is in Unix seconds. */
export function signedContent(webhookId: string, timestamp: number, body: string): string {
  return `${webhookId}.${timestamp}.${body}`;
}

/** Returns the `webhook-signature` header: `v1,` and a base64 HMAC-SHA256 for each secret (contract 8.7). */
export function signatureHeader(content: string, secrets: readonly string[]): string {
  return secrets
    .map((secret) => `v1,${createHmac("sha256", keyOf(secret)).update(content).digest("base64")}`)
    .join(" ");
}

function keyOf(secret: string): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  const key = createSecretKey(Buffer.from(secret.slice(PREFIX.length), "base64"));
  keys.set(secret, key);
  return key;
}
