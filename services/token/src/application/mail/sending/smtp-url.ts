import { isIPv4 } from "node:net";

export interface SmtpServer {
  host: string;
  port: number;
  /** implicit: from the first byte; required: STARTTLS or failure; offered: STARTTLS if available; off: never. */
  tls: "implicit" | "required" | "offered" | "off";
  auth: { user: string; pass: string } | undefined;
}

/**
 * Parses `smtp://user:password@host:587` or `smtps://host`. With credentials, `smtp` requires STARTTLS, except on
 * loopback; otherwise STARTTLS is optional, unless `?tls=required` or `?tls=off` is given. Errors contain no part of
 * the URL, which may contain a password.
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol)) throw new Error("must be smtp://host or smtps://host");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (host === "" || (url.pathname !== "" && url.pathname !== "/") || url.hash !== "") {
    throw new Error("must name a host and nothing below it");
  }
  const auth = url.username === "" ? undefined : { user: decode(url.username), pass: decode(url.password) };
  if (auth?.pass === "" || (!auth && url.password !== "")) throw new Error("must give a user with a password");
  const implicit = url.protocol === "smtps:";
  const tls = tlsOf(url, implicit, auth !== undefined && !isLoopback(host));
  return { host, port: Number(url.port) || (implicit ? 465 : 587), tls, auth };
}

function tlsOf(url: URL, implicit: boolean, secret: boolean): SmtpServer["tls"] {
  const unknown = [...url.searchParams.keys()].some((key) => key !== "tls");
  const wanted = url.searchParams.getAll("tls");
  if (unknown || wanted.length > 1 || !["required", "off", undefined].includes(wanted[0])) {
    throw new Error("takes no parameter but tls=required or tls=off");
  }
  if (wanted[0] === "off" && (implicit || secret)) throw new Error("does without TLS where it must not");
  if (implicit) return "implicit";
  if (wanted[0]) return wanted[0] as "required" | "off";
  return secret ? "required" : "offered";
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error("must have its user and password percent-encoded");
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}
