import { X509Certificate } from "node:crypto";

const beginning = /(?=^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----)/m;

/** Returns all certificates of a PEM file. Throws if it has none, or an unreadable one, which OpenSSL would ignore. */
export function readCertificates(pem: string): X509Certificate[] {
  const chunks = pem.split(beginning).filter((chunk) => beginning.test(chunk));
  if (chunks.length === 0) throw new Error("holds no certificate in PEM");
  return chunks.map((chunk, index) => {
    try {
      return new X509Certificate(chunk);
    } catch (cause) {
      throw new Error(`holds a certificate that cannot be read (number ${index + 1})`, { cause });
    }
  });
}
