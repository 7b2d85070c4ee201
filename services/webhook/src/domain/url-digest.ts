import { webhookUrlKey } from "@canvass/webhook-sender/webhook-url";
import { createHash } from "node:crypto";

/** Returns a digest that is equal for all spellings of a URL (contract 8.3). */
export function urlDigest(url: URL): string {
  return createHash("sha256").update(webhookUrlKey(url)).digest("hex");
}
