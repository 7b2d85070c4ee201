import { generateKeyPairSync, randomBytes } from "node:crypto";

import { readJson, writePrivateJson } from "./private-json.ts";
import { OperationalError, reasonOf } from "./operational-error.ts";

/** The secrets of one system, all base64 except the database passwords. They never leave its data directory. */
export type SystemKeys = {
  /** 32 bytes; proves to a service that another process of this system calls. */
  peerKey: string;
  /** Ed25519, PKCS #8 DER; signs the caller. The token service alone holds it. */
  callerPrivateKey: string;
  /** Ed25519, SPKI DER. */
  callerPublicKey: string;
  /** 32 bytes; lets its bearer call the operator RPCs of the token service. */
  operatorKey: string;
  /** 32 bytes; authenticates paging cursors. */
  cursorKey: string;
  /** 32 bytes; encrypts the secrets of subscriptions. */
  secretsKey: string;
  /** Password of each service's database role, by service. */
  databasePasswords: Record<string, string>;
};

/**
 * The keys in the file `path`; missing ones are generated and kept (mode 0600), also those a newer version added and
 * the database passwords of services it did not know. Throws OperationalError for a file that is not ours.
 */
export async function keepKeys(path: string, services: readonly string[]): Promise<SystemKeys> {
  const stored = await readKeys(path);
  const passwords = services.map((name) => [name, randomBytes(24).toString("base64url")]);
  const keys: SystemKeys = {
    ...generateKeys(),
    ...stored,
    databasePasswords: { ...Object.fromEntries(passwords), ...stored.databasePasswords },
  };
  await writePrivateJson(path, keys);
  return keys;
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

/** The keys in the file `path`; none when there is no such file. Throws OperationalError for a file that is not ours. */
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
    `The keys in ${path} can not be read (${why}); restore that file, or move the data directory away to start afresh.`,
  );
}
