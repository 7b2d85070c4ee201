import { randomBytes } from "node:crypto";

/** `whsec_` and 32 random bytes in base64 (contract 8.13). */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
