import { resolve } from "node:path";
import { readTlsFiles, tlsVariables, type ProcessTls } from "@canvass/rpc/tls-files";

import { OperationalError, reasonOf } from "./operational-error.ts";

/** Variables by name; empty means absent. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Paths of PEM files for TLS between a system's processes. */
export type TlsFiles = { key: string; cert: string; ca: string };

/** The name for TLS between processes; a certificate is checked against it. */
export const TLS_HOST = "localhost";

const PARTS = ["key", "cert", "ca"] as const;

/** The files named by `env`, as absolute paths: processes have other working directories. */
export function namedTlsFiles(env: Environment): Partial<TlsFiles> {
  return Object.fromEntries(
    PARTS.flatMap((part) => {
      const path = env[tlsVariables[part]];
      return path ? [[part, resolve(path)]] : [];
    }),
  );
}

/** All three files, or undefined for none. Throws OperationalError for some. */
export function requireTlsFiles(env: Environment): TlsFiles | undefined {
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

/** Contents of the files. Throws OperationalError for unreadable files and for other formats than PEM. */
export function readTls(files: Partial<TlsFiles>): ProcessTls | undefined {
  try {
    return readTlsFiles(tlsEnvironment(files));
  } catch (error) {
    throw new OperationalError(`${reasonOf(error)}.`, { cause: error });
  }
}
