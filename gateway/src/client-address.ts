import type { FastifyRequest } from "fastify";
import { isIP, isIPv4 } from "node:net";

/**
 * The IP address the caller speaks from, or "" when there is none that can be believed: behind trusted proxies it comes
 * from a header, which may say anything. An IPv4 address inside an IPv6 one is given as the former.
 */
export function clientAddress({ ip }: Pick<FastifyRequest, "ip">): string {
  if (!isIP(ip)) return "";
  const inner = ip.replace(/^::ffff:/i, "");
  return isIPv4(inner) ? inner : ip;
}
