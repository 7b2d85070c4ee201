import type { Sql } from "@canvass/postgres";
import type { WebhookContext } from "../../context.ts";
import { createSecretBox, newSecretsKey, sealingKeyId, type SecretBox } from "../../domain/sealed-secrets.ts";
import {
  countSealedSecrets,
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
  /** With the key that seals from now on. */
  box: SecretBox;
  /** An earlier rotation made that key and did not end. */
  resumed: boolean;
}

/** Stores the key that seals from now on. No writer is under way with an older one afterwards. */
export function beginRotation({ write, secretKeys, now }: WebhookContext): Promise<BegunRotation> {
  return write(async ({ sql }) => {
    await lockSecretsKeys(sql, "exclusive");
    await sealKeysAnew(sql, secretKeys.configured);
    const before = await secretKeys.read(sql);
    const isStored = !secretKeys.configured.keyIds.includes(before.keyId);
    const others = [...(await countSealedSecrets(sql)).keys()].filter((keyId) => keyId !== before.keyId);
    if (isStored && others.some((keyId) => before.keyIds.includes(keyId))) return { box: before, resumed: true };
    const key = newSecretsKey();
    const { keyId } = createSecretBox(key);
    await insertSecretsKey(sql, { keyId, sealed: sealKey(secretKeys.configured, keyId, key) }, now());
    return { box: await secretKeys.read(sql), resumed: false };
  });
}

/** Seals stored keys under the first configured key, so that the others can be taken away. */
async function sealKeysAnew(sql: Sql, configured: SecretBox): Promise<void> {
  for (const stored of await findSecretsKeys(sql)) {
    if (sealingKeyId(stored.sealed) === configured.keyId) continue;
    const { keyId } = stored;
    await saveSecretsKey(sql, { keyId, sealed: sealKey(configured, keyId, openKey(configured, stored)) });
  }
}

/** Yields how many secrets were sealed anew, batch by batch; each batch is a transaction. Leaves what does not open. */
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

/** Deletes stored keys that seal nothing, and counts what each key seals. */
export function endRotation({ write }: WebhookContext, { keyId }: SecretBox): Promise<Map<string, number>> {
  return write(async ({ sql }) => {
    await lockSecretsKeys(sql, "exclusive");
    await deleteIdleSecretsKeys(sql, keyId);
    return countSealedSecrets(sql);
  });
}
