import { isDatabaseUnavailable } from "@canvass/postgres";
import { ConfigError } from "@canvass/telemetry";
import type { WebhookContext } from "../../context.ts";
import { countSecretsByKey } from "../../storage/sealed-secrets.ts";

/**
 * Throws if a stored secret is sealed with a key that this process does not have: its deliveries would wait. Only
 * warns if the database is unavailable.
 */
export async function requireKeys({ secretKeys, database: { sql }, log }: WebhookContext): Promise<void> {
  try {
    const { keyIds } = await secretKeys.read(sql);
    const lost = [...(await countSecretsByKey(sql))].filter(([keyId]) => !keyIds.includes(keyId));
    if (lost.length === 0) return;
    const which = lost.map(([keyId, secrets]) => `${keyId} (${secrets} secrets)`).join(", ");
    throw new ConfigError(
      `CANVASS_SECRETS_KEY lacks keys under which webhook secrets are sealed: ${which}; put them back`,
    );
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    log.warn({ err: error }, "the keys of webhook secrets could not be checked, because the database does not answer");
  }
}
