import { isIP } from "node:net";
import { generate } from "selfsigned";

/** A server's key and certificate, and the authority that signed it. All PEM. */
export interface TestCertificates {
  ca: string;
  key: string;
  cert: string;
}

const ecdsa = { keyType: "ec", algorithm: "sha256" } as const;

/** Makes an authority and a certificate for these names and addresses, valid for a day. */
export async function testCertificates(names: readonly string[]): Promise<TestCertificates> {
  const authority = await generate([{ name: "commonName", value: "Canvass test authority" }], {
    ...ecdsa,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: "commonName", value: names[0] ?? "localhost" }], {
    ...ecdsa,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames: names.map(altName) },
    ],
  });
  return { ca: authority.cert, key: server.private, cert: server.cert };
}

function altName(name: string): { type: 2; value: string } | { type: 7; ip: string } {
  return isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name };
}
