import { Gauge, type Registry } from "@canvass/telemetry";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { TLSSocket, type DetailedPeerCertificate, type PeerCertificate } from "node:tls";
import { readCertificates } from "./read-certificates.ts";
import type { ProcessTls } from "./tls-files.ts";

export type WatchedServer = "nats" | "postgresql";

export interface CertificateEnds {
  /** Records the certificate of a server and its issuers. Replaces that server's previous ones. */
  note(server: WatchedServer, certificate: PeerCertificate): void;
  /** Records the certificate of a connected socket. Ignores clear text and unverified certificates. */
  noteSocket(server: WatchedServer, socket: Socket): void;
}

/** Exports the earliest expiry by kind: `own`, `chain`, `authority`, each connected server, and `others` (files). */
export function registerCertificateEnds(
  registry: Registry,
  { cert, ca }: ProcessTls = {},
  others: Readonly<Record<string, string | undefined>> = {},
): CertificateEnds {
  const gauge = new Gauge({
    name: "canvass_certificate_expiry_timestamp_seconds",
    help: "When the first of these TLS certificates ends; no value without TLS",
    labelNames: ["certificate"],
    registers: [registry],
  });
  const show = (certificate: string, ends: readonly number[]) => {
    const known = ends.filter((end) => !Number.isNaN(end));
    if (known.length > 0) gauge.set({ certificate }, Math.min(...known) / 1_000);
  };
  const own = endsIn(cert);
  show("own", own.slice(0, 1));
  show("chain", own.slice(1));
  show("authority", endsIn(ca));
  for (const [kind, file] of Object.entries(others)) if (file) show(kind, endsInFile(file));
  const note: CertificateEnds["note"] = (server, certificate) => show(server, endsAbove(certificate));
  return {
    note,
    noteSocket(server, socket) {
      if (socket instanceof TLSSocket && socket.authorized) note(server, socket.getPeerCertificate(true));
    },
  };
}

const endsIn = (pem: string | undefined): number[] =>
  pem ? readCertificates(pem).map(({ validTo }) => Date.parse(validTo)) : [];

function endsInFile(file: string): number[] {
  try {
    return endsIn(readFileSync(file, "utf8"));
  } catch {
    // The code that uses the file reports that it is unreadable.
    return [];
  }
}

/** Node includes issuers only in detailed certificates. */
type Shown = PeerCertificate & Partial<Pick<DetailedPeerCertificate, "issuerCertificate">>;

function endsAbove(certificate: PeerCertificate | null): number[] {
  const ends: number[] = [];
  const seen = new Set<Shown>();
  // A root authority is its own issuer. A socket that has just closed has no certificate.
  for (let each: Shown | null | undefined = certificate; each && !seen.has(each); each = each.issuerCertificate) {
    seen.add(each);
    ends.push(Date.parse(each.valid_to));
  }
  return ends;
}
