import { resolve } from "node:path";
import { readTlsFiles, tlsVariables, type ProcessTls } from "@canvass/rpc/tls-files";

import { OperationalError, reasonOf } from "./operational-error.ts";

/** Variables by name; an empty one counts as absent. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Paths of the files, in PEM, with which the processes of a system speak TLS to each other. */
export type TlsFiles = { key: string; cert: string; ca: string };

/** The name under which our processes call each other by TLS: a certificate is checked against a name. */
export const TLS_HOST = "localhost";

const PARTS = ["key", "cert", "ca"] as const;

/** The files that `env` names, as absolute paths: our processes have a working directory of their own. */
export function namedTlsFiles(env: Environment): Partial<TlsFiles> {
  return Object.fromEntries(
    PARTS.flatMap((part) => {
      const path = env[tlsVariables[part]];
      return path ? [[part, resolve(path)]] : [];
    }),
  );
}

/** The files of a whole system: all three, or none (undefined). Throws OperationalError for some of them. */
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

/** The environment that names these files to a process. */
export function tlsEnvironment(files: Partial<TlsFiles>): Record<string, string> {
  return Object.fromEntries(
    PARTS.flatMap((part) => (files[part] === undefined ? [] : [[tlsVariables[part], files[part]]])),
  );
}

/** What the files hold. Throws OperationalError for one that can not be read or is no PEM. */
export function readTls(files: Partial<TlsFiles>): ProcessTls | undefined {
  try {
    return readTlsFiles(tlsEnvironment(files));
  } catch (error) {
    throw new OperationalError(`${reasonOf(error)}.`, { cause: error });
  }
}
