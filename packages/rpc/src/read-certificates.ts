import { X509Certificate } from "node:crypto";

const beginning = /(?=^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----)/m;

/** Returns all certificates of a PEM file. Throws if there is none, or if OpenSSL would ignore an unreadable one. */
export function readCertificates(pem: string): X509Certificate[] {
  const pieces = pem.split(beginning).filter((piece) => beginning.test(piece));
  if (pieces.length === 0) throw new Error("holds no certificate in PEM");
  return pieces.map((piece, index) => {
    try {
      return new X509Certificate(piece);
    } catch (cause) {
      throw new Error(`holds a certificate that cannot be read (number ${index + 1})`, { cause });
    }
  });
}
