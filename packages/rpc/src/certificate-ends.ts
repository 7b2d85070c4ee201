import { Gauge, type Registry } from "@canvass/telemetry";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { TLSSocket, type DetailedPeerCertificate, type PeerCertificate } from "node:tls";
import { readCertificates } from "./read-certificates.ts";
import type { ProcessTls } from "./tls-files.ts";

/** A server that is no process of ours, so that it shows no metrics of its own. */
export type WatchedServer = "nats" | "postgresql";

export interface CertificateEnds {
  /** Notes the certificate that a server showed, and its issuers. It replaces what that server showed before. */
  note(server: WatchedServer, certificate: PeerCertificate): void;
  /** Notes what is seen at a connected socket; nothing in clear text, or where the client does not check. */
  noteSocket(server: WatchedServer, socket: Socket): void;
}

/**
 * Shows when the TLS certificates end that a process relies on, of each kind the earliest: its `own`, the `chain` above it,
 * each `authority` that it trusts, what servers show from the first connection on (`nats`, `postgresql`), and what the files
 * of `others` hold, by kind; of a file that cannot be read nothing, since who uses it judges it.
 */
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
    return [];
  }
}

/** Issuers are there when Node was asked for details. */
type Shown = PeerCertificate & Partial<Pick<DetailedPeerCertificate, "issuerCertificate">>;

/** Ends of a certificate and of all above it. */
function endsAbove(certificate: PeerCertificate | null): number[] {
  const ends: number[] = [];
  const seen = new Set<Shown>();
  // An authority at the top is its own issuer. Of a socket that has just closed there is nothing.
  for (let each: Shown | null | undefined = certificate; each && !seen.has(each); each = each.issuerCertificate) {
    seen.add(each);
    ends.push(Date.parse(each.valid_to));
  }
  return ends;
}
