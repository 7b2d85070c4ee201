import { isIP } from "node:net";
import { generate } from "selfsigned";

/** A key with its certificate. PEM. */
export interface Party {
  key: string;
  cert: string;
}

const ecdsa = { keyType: "ec", algorithm: "sha256" } as const;

/** A certificate authority of its own, valid for a year. */
export async function authority(): Promise<Party> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "Canvass test authority" }], {
    ...ecdsa,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { key, cert };
}

/** A process with a certificate of this authority for these names and addresses; without a use named, it serves and calls. */
export async function signedBy(
  ca: Party,
  { names = ["localhost"] as readonly string[], usage = { serverAuth: true, clientAuth: true } } = {},
): Promise<Party> {
  const { private: key, cert } = await generate([{ name: "commonName", value: names[0] ?? "localhost" }], {
    ...ecdsa,
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

function altName(name: string): { type: 2; value: string } | { type: 7; ip: string } {
  return isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name };
}
