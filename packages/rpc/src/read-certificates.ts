import { X509Certificate } from "node:crypto";

const beginning = /(?=^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----)/m;

/**
 * All certificates of a PEM file, one or more, in its order; keys and comments between them are skipped. Throws when it holds
 * none, and for one that cannot be read: OpenSSL would ignore that and all behind it without a word.
 */
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
