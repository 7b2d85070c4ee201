import type { ConfigRule } from "@canvass/telemetry";
import { ConfigError } from "@canvass/telemetry/config-error";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { readCertificates } from "./read-certificates.ts";

/** PEM files: the process's key and certificate, and the authorities it trusts. */
export const tlsVariables = {
  key: "CANVASS_TLS_KEY_FILE",
  cert: "CANVASS_TLS_CERT_FILE",
  ca: "CANVASS_TLS_CA_FILE",
} as const;

type Part = keyof typeof tlsVariables;

/** An empty variable counts as absent. */
export type TlsEnvironment = Readonly<Partial<Record<(typeof tlsVariables)[Part], string | undefined>>>;

/** `key` and `cert` are both present or both absent. */
export type ProcessTls = Partial<Record<Part, string>>;

const check: Record<Part, (pem: string) => unknown> = { key: checkKey, cert: readCertificates, ca: readCertificates };

export const tlsRule: ConfigRule<TlsEnvironment> = { variables: Object.values(tlsVariables), validate: readTlsFiles };

/** Returns undefined if no file is named. Throws one error that lists every violation by variable, without values. */
export function readTlsFiles(environment: TlsEnvironment): ProcessTls | undefined {
  const violations: string[] = [];
  const read = (part: Part, other?: Part): ProcessTls => {
    const variable = tlsVariables[part];
    const file = environment[variable];
    // A key without its certificate must not result in clear text.
    if (!file && other && environment[tlsVariables[other]])
      violations.push(`${variable} is missing beside ${tlsVariables[other]}`);
    if (!file) return {};
    try {
      return { [part]: readPem(part, file) };
    } catch (error) {
      violations.push(`${variable} names a file that ${(error as Error).message}`);
      return {};
    }
  };
  const tls = { ...read("key", "cert"), ...read("cert", "key"), ...read("ca") };
  if (violations.length > 0) throw new ConfigError(violations.join("; "), { violations });
  return Object.keys(tls).length > 0 ? tls : undefined;
}

function readPem(part: Part, file: string): string {
  let pem: string;
  try {
    pem = readFileSync(file, "utf8");
  } catch (cause) {
    throw new Error(`cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause });
  }
  check[part](pem);
  return pem;
}

function checkKey(pem: string): void {
  try {
    // createPrivateKey would also fail on errors that a refused handshake left in OpenSSL's queue.
    createSecureContext({ key: pem });
  } catch (cause) {
    throw new Error("holds no private key in PEM", { cause });
  }
}
