import type { Sql } from "@canvass/postgres";
import type { WebhookContext } from "../../context.ts";
import { createSecretBox, newSecretsKey, sealingKeyId, type SecretBox } from "@canvass/webhook-sender";
import {
  countSecretsByKey,
  lockSecretsOfOtherKeys,
  saveSealedSecrets,
  type SecretPlace,
} from "../../storage/sealed-secrets.ts";
import {
  deleteIdleSecretsKeys,
  findSecretsKeys,
  insertSecretsKey,
  lockSecretsKeys,
  saveSecretsKey,
} from "../../storage/secrets-keys.ts";
import { openKey, sealKey } from "./secret-keys.ts";

const BATCH = 200;
const START: SecretPlace = { workspaceId: "", subscriptionId: "", secretId: "" };

export interface BegunRotation {
  /** All keys, the sealing one first. */
  box: SecretBox;
  resumed: boolean;
}

/** After this, no transaction that seals with an older key is in flight. */
export function beginRotation({ write, secretKeys, now }: WebhookContext): Promise<BegunRotation> {
  return write(async ({ sql }) => {
    await lockSecretsKeys(sql, "exclusive");
    await sealKeysAnew(sql, secretKeys.configured);
    const before = await secretKeys.read(sql);
    const isStored = !secretKeys.configured.keyIds.includes(before.keyId);
    const others = [...(await countSecretsByKey(sql)).keys()].filter((keyId) => keyId !== before.keyId);
    if (isStored && others.some((keyId) => before.keyIds.includes(keyId))) return { box: before, resumed: true };
    const key = newSecretsKey();
    const { keyId } = createSecretBox(key);
    await insertSecretsKey(sql, { keyId, sealed: sealKey(secretKeys.configured, keyId, key) }, now());
    return { box: await secretKeys.read(sql), resumed: false };
  });
}

/** Reseals stored keys under the first configured key, so that the other configured keys can be removed. */
async function sealKeysAnew(sql: Sql, configured: SecretBox): Promise<void> {
  for (const stored of await findSecretsKeys(sql)) {
    if (sealingKeyId(stored.sealed) === configured.keyId) continue;
    const { keyId } = stored;
    await saveSecretsKey(sql, { keyId, sealed: sealKey(configured, keyId, openKey(configured, stored)) });
  }
}

/** Reseals in one transaction per batch and yields how many it resealed. Skips and logs secrets that do not open. */
export async function* sealSecretsAnew({ write, log }: WebhookContext, box: SecretBox): AsyncGenerator<number> {
  let after: SecretPlace | undefined = START;
  while (after) {
    const from: SecretPlace = after;
    const batch = await write(async ({ sql }) => {
      const found = await lockSecretsOfOtherKeys(sql, box.keyId, from, BATCH);
      const anew = found.flatMap((secret) => {
        try {
          return [{ ...secret, sealed: box.seal(box.open(secret.sealed, secret), secret) }];
        } catch (err) {
          const { workspaceId, subscriptionId } = secret;
          log.error({ err, workspaceId, subscriptionId }, "a signing secret cannot be opened");
          return [];
        }
      });
      await saveSealedSecrets(sql, anew);
      return { resealed: anew.length, last: found.length === BATCH ? found.at(-1) : undefined };
    });
    yield batch.resealed;
    after = batch.last;
  }
}

/** Deletes older stored keys that seal nothing. Returns the number of secrets per key. */
export function endRotation({ write }: WebhookContext, { keyId }: SecretBox): Promise<Map<string, number>> {
  return write(async ({ sql }) => {
    await lockSecretsKeys(sql, "exclusive");
    await deleteIdleSecretsKeys(sql, keyId);
    return countSecretsByKey(sql);
  });
}
