import type { FastifyRequest } from "fastify";
import { isIP, isIPv4 } from "node:net";

/**
 * The IP address the caller speaks from, or "" when there is none that can be believed: behind trusted proxies it comes
 * from a header, which may say anything. An IPv4 address inside an IPv6 one is given as the former.
 */
export function clientAddress({ ip }: Pick<FastifyRequest, "ip">): string {
  const address = withoutPort(ip);
  if (!isIP(address)) return "";
  const inner = address.replace(/^::ffff:/i, "");
  return isIPv4(inner) ? inner : address;
}

/** `192.0.2.1:5678` and `[2001:db8::5]:77`, as some proxies write, without port and brackets; all else as it is. */
export function withoutPort(address: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(address) ?? [];
  return ipv6 ?? ipv4 ?? address;
}
