import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES;

/** Bound to the ciphertext, so that a secret that was moved to another row cannot be opened. */
export interface SecretOwner {
  workspaceId: string;
  subscriptionId: string;
}

export interface SecretBox {
  /** Id of the sealing key: eight hexadecimal digits. */
  keyId: string;
  keyIds: readonly string[];
  seal(secret: string, owner: SecretOwner): Uint8Array;
  /** Throws if the bytes were changed, belong to another owner, or need an unknown key. */
  open(sealed: Uint8Array, owner: SecretOwner): string;
}

/**
 * Uses AES-256-GCM (NIST SP 800-38D). `keys`: 32 bytes each in base64, separated by commas; the first seals, all open.
 * Sealed form: version (1 byte), key id (4), nonce (12), ciphertext, tag (16).
 */
export function createSecretBox(keys: string): SecretBox {
  const known = keys.split(",").map((text) => secretKey(text.trim()));
  const [newest] = known;
  if (newest === undefined) throw new Error("there is no secrets key");
  return {
    keyId: newest.id.toString("hex"),
    keyIds: known.map(({ id }) => id.toString("hex")),
    seal(secret, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", newest.key, nonce).setAAD(boundTo(owner));
      const parts = [Buffer.from([VERSION]), newest.id, nonce, cipher.update(secret, "utf8"), cipher.final()];
      return Buffer.concat([...parts, cipher.getAuthTag()]);
    },
    open(sealed, owner) {
      const bytes = Buffer.from(sealed);
      const keyId = bytes.subarray(1, 1 + KEY_ID_BYTES);
      const found = known.find(({ id }) => id.equals(keyId));
      if (bytes[0] !== VERSION || found === undefined)
        throw new Error("a secret was sealed with a key that is not known");
      const nonce = bytes.subarray(1 + KEY_ID_BYTES, HEAD_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", found.key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(owner)).setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(HEAD_BYTES, -TAG_BYTES)), decipher.final()]).toString(
        "utf8",
      );
    },
  };
}

export function sealingKeyId(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(1, 1 + KEY_ID_BYTES)).toString("hex");
}

export const newSecretsKey = (): string => randomBytes(32).toString("base64");

/** A key's id is four bytes of its hash, which do not reveal the key. */
function secretKey(text: string): { id: Buffer; key: Buffer } {
  const key = Buffer.from(text, "base64");
  if (key.length !== 32) throw new Error("each secrets key must have 32 bytes in base64");
  return {
    id: createHash("sha256").update("canvass secrets key\0").update(key).digest().subarray(0, KEY_ID_BYTES),
    key,
  };
}

function boundTo({ workspaceId, subscriptionId }: SecretOwner): Buffer {
  return Buffer.from(JSON.stringify(["webhook secret", workspaceId, subscriptionId]));
}
