import { generateKeyPairSync, randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

import { readJson, writePrivateJson } from "./private-json.ts";
import { OperationalError, reasonOf } from "./operational-error.ts";

/** Secrets of one system; base64 except the passwords. In a rotation, cursor and secrets key are `<new>,<old>`. */
export type SystemKeys = {
  /** 32 bytes; authenticates calls between processes. */
  peerKey: string;
  /** Ed25519, PKCS #8 DER; signs callers. Only for the token service. */
  callerPrivateKey: string;
  callerPublicKey: string;
  /** 32 bytes; authorizes the operator RPCs of all services. */
  operatorKey: string;
  /** 32 bytes; authenticates paging cursors, and keys the digests of bodies in idempotency records. */
  cursorKey: string;
  /** 32 bytes; encrypts the secrets of webhooks, and the keys that encrypt these. */
  secretsKey: string;
  databasePasswords: Record<string, string>;
};

/**
 * Returns the stored keys, replaced by those of `newer`, and generates missing ones. Saves them if anything changed. Throws
 * OperationalError for an invalid file.
 */
export async function ensureKeys(
  path: string,
  services: readonly string[],
  newer: Partial<SystemKeys> = {},
): Promise<SystemKeys> {
  const stored = await readKeys(path);
  const passwords = services.map((name) => [name, randomBytes(24).toString("base64url")]);
  const keys: SystemKeys = {
    ...generateKeys(),
    ...stored,
    ...newer,
    databasePasswords: {
      ...Object.fromEntries(passwords),
      ...stored.databasePasswords,
      ...newer.databasePasswords,
    },
  };
  if (isDeepStrictEqual(keys, stored)) return keys;
  // Keep the old keys, in case `newer` has a key that was changed by mistake.
  if (isReplaced(stored, keys)) await writePrivateJson(`${path}.before`, stored);
  await writePrivateJson(path, keys);
  return keys;
}

function isReplaced({ databasePasswords = {}, ...stored }: Partial<SystemKeys>, keys: SystemKeys): boolean {
  const { databasePasswords: passwords, ...others } = keys;
  return (
    !isDeepStrictEqual({ ...others, ...stored }, others) ||
    !isDeepStrictEqual({ ...passwords, ...databasePasswords }, passwords)
  );
}

function generateKeys(): Omit<SystemKeys, "databasePasswords"> {
  const caller = generateKeyPairSync("ed25519");
  return {
    peerKey: randomKey(),
    callerPrivateKey: caller.privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
    callerPublicKey: caller.publicKey.export({ type: "spki", format: "der" }).toString("base64"),
    operatorKey: randomKey(),
    cursorKey: randomKey(),
    secretsKey: randomKey(),
  };
}

function randomKey(): string {
  return randomBytes(32).toString("base64");
}

/** Reads the keys in the file `path`; none if there is no file. Throws OperationalError for an invalid file. */
export async function readKeys(path: string): Promise<Partial<SystemKeys>> {
  let stored: unknown;
  try {
    stored = (await readJson(path)) ?? {};
  } catch (error) {
    throw unreadable(path, reasonOf(error));
  }
  if (typeof stored !== "object" || stored === null) throw unreadable(path, "no JSON object");
  const { callerPrivateKey, callerPublicKey } = stored as Partial<SystemKeys>;
  if ((callerPrivateKey === undefined) !== (callerPublicKey === undefined)) throw unreadable(path, "half a key pair");
  return stored;
}

function unreadable(path: string, why: string): OperationalError {
  return new OperationalError(
    `The keys in ${path} cannot be read (${why}); restore that file, or move the data directory away to start afresh.`,
  );
}
