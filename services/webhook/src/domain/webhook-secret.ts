import { randomBytes } from "node:crypto";

/** Returns a new signing secret (contract 8.13): `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}
