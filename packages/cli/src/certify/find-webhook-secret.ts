import { UsageError } from "@canvass/command-line";
import type { Environment } from "@canvass/provisioning";
import { Webhook } from "standardwebhooks";
import { readSecret } from "../session/read-secret.ts";

/**
 * Returns the secret from standard input or CANVASS_WEBHOOK_SECRET. Throws UsageError, without the text, if it is
 * malformed.
 */
export async function findWebhookSecret(env: Environment, fromStdin = false): Promise<string> {
  const secret = fromStdin ? await readSecret("secret", "certify --secret-stdin") : env["CANVASS_WEBHOOK_SECRET"];
  if (!secret) throw new UsageError("There is no secret: set CANVASS_WEBHOOK_SECRET, or pipe it to --secret-stdin.");
  if (!isSecret(secret)) throw new UsageError("The secret is none of Canvass: it has to be whsec_ and base64.");
  return secret;
}

function isSecret(text: string): boolean {
  if (!/^whsec_./.test(text)) return false;
  try {
    return new Webhook(text) instanceof Webhook;
  } catch {
    return false;
  }
}
