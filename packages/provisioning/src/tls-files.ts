import { resolve } from "node:path";
import { readTlsFiles, tlsVariables, type ProcessTls } from "@canvass/rpc/tls-files";

import { OperationalError, reasonOf } from "./operational-error.ts";

/** Variables by name. An empty value counts as absent. */
export type Environment = Readonly<Record<string, string | undefined>>;

export type TlsFiles = { key: string; cert: string; ca: string };

export const TLS_HOST = "localhost";

const PARTS = ["key", "cert", "ca"] as const;

/** Returns absolute paths, because processes have different working directories. */
export function namedTlsFiles(env: Environment): Partial<TlsFiles> {
  return Object.fromEntries(
    PARTS.flatMap((part) => {
      const path = env[tlsVariables[part]];
      return path ? [[part, resolve(path)]] : [];
    }),
  );
}

/** Returns all three files, or undefined if `env` names none. Throws OperationalError if some are missing. */
export function findTlsFiles(env: Environment): TlsFiles | undefined {
  const { key, cert, ca } = namedTlsFiles(env);
  if (key && cert && ca) return { key, cert, ca };
  const missing = PARTS.map((part) => tlsVariables[part]).filter((variable) => !env[variable]);
  if (missing.length === PARTS.length) return undefined;
  throw new OperationalError(
    `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing: TLS between the processes takes ` +
      `${tlsVariables.key}, ${tlsVariables.cert} and ${tlsVariables.ca}, or none of them.`,
  );
}

export function tlsEnvironment(files: Partial<TlsFiles>): Record<string, string> {
  return Object.fromEntries(
    PARTS.flatMap((part) => (files[part] === undefined ? [] : [[tlsVariables[part], files[part]]])),
  );
}

/** Reads the files. Throws OperationalError if a file is unreadable or not PEM. */
export function readTls(files: Partial<TlsFiles>): ProcessTls | undefined {
  try {
    return readTlsFiles(tlsEnvironment(files));
  } catch (error) {
    throw new OperationalError(`${reasonOf(error)}.`, { cause: error });
  }
}
