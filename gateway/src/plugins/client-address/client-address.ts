import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { isIP } from "node:net";

/**
 * The IP address the caller speaks from, or "" when there is none that can be believed: behind trusted proxies it comes
 * from a header, which may say anything.
 */
export function clientAddress({ ip }: Pick<FastifyRequest, "ip">): string {
  return readAddress(ip)?.toString() ?? "";
}

/**
 * Reads an address as sockets and proxies write it, with or without a port. An IPv4 address inside an IPv6 one is the
 * former; a zone is left out.
 */
export function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const address = withoutPort(text).replace(/%.*$/, "");
  return isIP(address) ? ipaddr.process(address) : undefined;
}

/** `192.0.2.1:5678` and `[2001:db8::5]:77`, as some proxies write, without port and brackets; all else as it is. */
function withoutPort(address: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(address) ?? [];
  return ipv6 ?? ipv4 ?? address;
}
