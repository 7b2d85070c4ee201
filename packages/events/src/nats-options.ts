import type { ConnectionOptions, TlsOptions } from "nats";
import { checkServerIdentity, type PeerCertificate } from "node:tls";

export interface BusTls {
  ca?: string;
  key?: string;
  cert?: string;
}

/** Called with the server's certificate and its issuers after each TLS handshake with a valid chain. */
export type OnServerCertificate = (certificate: PeerCertificate) => void;

/** Parses comma-separated URLs, of which the first has the credentials. `tls` applies to `tls://` only. */
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
    // A server may refuse valid credentials for a while, for example when it reloads accounts.
    ignoreAuthErrorAbort: true,
    timeout: 5000,
    pingInterval: 10_000,
  };
}

/** Reads the certificate in `checkServerIdentity`, because the client hides its socket but passes TLS options on. */
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
