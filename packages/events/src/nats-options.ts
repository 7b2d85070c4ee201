import type { ConnectionOptions, TlsOptions } from "nats";
import { checkServerIdentity, type PeerCertificate } from "node:tls";

/** The TLS part of a process's configuration, in PEM. */
export interface BusTls {
  ca?: string;
  key?: string;
  cert?: string;
}

/** Receives the server's certificate, with its issuers, at each connection by TLS whose chain is good. */
export type OnServerCertificate = (certificate: PeerCertificate) => void;

/**
 * Reads comma-separated `nats://host:port`, with `user:password@` or `token@` in the first. `tls` is used for `tls://`
 * only: processes that speak TLS with each other may reach the bus in clear text.
 */
export function natsOptions(
  urls: string,
  name: string,
  tls: BusTls | undefined,
  onServerCertificate?: OnServerCertificate,
): ConnectionOptions {
  const addresses = urls.split(",").map((url) => new URL(url.includes("://") ? url.trim() : `nats://${url.trim()}`));
  const [first] = addresses;
  return {
    name,
    servers: addresses.map(({ hostname, port }) => `${hostname}:${port || 4222}`),
    ...credentials(first),
    ...(first?.protocol === "tls:" ? { tls: tlsOptions(tls, onServerCertificate) } : {}),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    reconnectJitterTLS: 250,
    // Credentials may be refused for a while, as when accounts are reloaded.
    ignoreAuthErrorAbort: true,
    timeout: 5000,
    pingInterval: 10_000,
  };
}

/** The client passes options on that its type lacks; it keeps its socket to itself, so the certificate is seen here. */
function tlsOptions(tls: BusTls = {}, onServerCertificate: OnServerCertificate = () => {}): TlsOptions {
  const check: typeof checkServerIdentity = (hostname, certificate) => {
    const fault = checkServerIdentity(hostname, certificate);
    if (!fault) onServerCertificate(certificate);
    return fault;
  };
  return { ...tls, checkServerIdentity: check } as TlsOptions;
}

function credentials(url: URL | undefined): { user?: string; pass?: string; token?: string } {
  if (!url?.username) return {};
  const user = decodeURIComponent(url.username);
  return url.password ? { user, pass: decodeURIComponent(url.password) } : { token: user };
}
