import { isIP } from "node:net";
import { generate } from "selfsigned";

/** A key with its certificate. PEM. */
export interface Party {
  key: string;
  cert: string;
}

const ecdsa = { keyType: "ec", algorithm: "sha256" } as const;

interface AuthorityOptions {
  /** The authorities of a chain need different names. */
  name?: string;
  /** Default: in a year. */
  ends?: Date;
  /** Signs it; absent: it signs itself. */
  ca?: Party;
}

/** Makes a certificate authority. */
export async function authority({ name = "Canvass test authority", ends, ca }: AuthorityOptions = {}): Promise<Party> {
  const { private: key, cert } = await generate([{ name: "commonName", value: name }], {
    ...ecdsa,
    ...validUntil(ends),
    ...(ca && { ca }),
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { key, cert };
}

/** Makes a key with a certificate of this authority for these names and addresses; by default it serves and calls. */
export async function signedBy(
  ca: Party,
  {
    names = ["localhost"],
    usage = { serverAuth: true, clientAuth: true },
    ends,
  }: { names?: readonly string[]; usage?: { serverAuth?: boolean; clientAuth?: boolean }; ends?: Date } = {},
): Promise<Party> {
  const { private: key, cert } = await generate([{ name: "commonName", value: names[0] ?? "localhost" }], {
    ...ecdsa,
    ...validUntil(ends),
    ca,
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", ...usage },
      { name: "subjectAltName", altNames: names.map(altName) },
    ],
  });
  return { key, cert };
}

function validUntil(ends: Date | undefined): { notBeforeDate?: Date; notAfterDate?: Date } {
  if (!ends) return {};
  return { notBeforeDate: new Date(Math.min(Date.now(), ends.getTime() - 86_400_000)), notAfterDate: ends };
}

function altName(name: string): { type: 2; value: string } | { type: 7; ip: string } {
  return isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name };
}
