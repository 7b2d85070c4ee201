import type { Sql } from "@canvass/postgres";
import { ConfigError } from "@canvass/telemetry";
import { createSecretBox, sealingKeyId, type SecretBox, type SecretOwner } from "@canvass/webhook-sender";
import { findSecretsKeys, lockSecretsKeys, type StoredKey } from "../../storage/secrets-keys.ts";

/** The configured keys seal the stored keys, which seal secrets. If none is stored, the first one seals secrets. */
export interface SecretKeys {
  /** The keys of CANVASS_SECRETS_KEY, the sealing one first. */
  configured: SecretBox;
  /** Seals with the newest key. Holds the shared lock of the keys until the transaction of `sql` ends. */
  seal(sql: Sql, secret: string, owner: SecretOwner): Promise<Uint8Array>;
  open(sealed: Uint8Array, owner: SecretOwner): Promise<string>;
  /** Reads all keys, the sealing one first. Throws if a stored key is sealed with a key that is not configured. */
  read(sql: Sql): Promise<SecretBox>;
}

export function createSecretKeys(configured: string, sql: Sql): SecretKeys {
  const outer = createSecretBox(configured);
  let known: Promise<SecretBox> | undefined;
  /** Ids of unknown keys. A key is stored before it seals, so a missing key does not appear later. */
  const lost = new Set<string>();

  async function read(from: Sql): Promise<SecretBox> {
    const inner = (await findSecretsKeys(from)).map((key) => openKey(outer, key));
    return createSecretBox([...inner, configured].join(","));
  }

  function readAnew(): Promise<SecretBox> {
    const box = read(sql);
    known = box;
    box.catch(() => known === box && (known = undefined));
    return box;
  }

  async function boxFor(sealed: Uint8Array): Promise<SecretBox> {
    const keyId = sealingKeyId(sealed);
    const box = await (known ?? readAnew());
    if (box.keyIds.includes(keyId) || lost.has(keyId)) return box;
    const anew = await readAnew();
    if (!anew.keyIds.includes(keyId)) lost.add(keyId);
    return anew;
  }

  return {
    configured: outer,
    read,
    async seal(transaction, secret, owner) {
      await lockSecretsKeys(transaction, "shared");
      return (await read(transaction)).seal(secret, owner);
    },
    open: async (sealed, owner) => (await boxFor(sealed)).open(sealed, owner),
  };
}

const ownerOf = (keyId: string): SecretOwner => ({ workspaceId: "", subscriptionId: `secrets key ${keyId}` });

export function openKey(outer: SecretBox, { keyId, sealed }: StoredKey): string {
  const needed = sealingKeyId(sealed);
  if (!outer.keyIds.includes(needed)) {
    throw new ConfigError(
      `CANVASS_SECRETS_KEY lacks the key ${needed}, under which the key ${keyId} is sealed; put it back`,
    );
  }
  return outer.open(sealed, ownerOf(keyId));
}

export function sealKey(outer: SecretBox, keyId: string, key: string): Uint8Array {
  return outer.seal(key, ownerOf(keyId));
}
