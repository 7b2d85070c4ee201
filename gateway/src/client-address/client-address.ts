import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { isIP } from "node:net";

/** Returns "" when the address is malformed (proxies send it in a header) or the caller has disconnected. */
export function clientAddress({ ip }: { ip: FastifyRequest["ip"] | undefined }): string {
  return readAddress(ip)?.toString() ?? "";
}

/** Parses an address with or without a port. Converts IPv4-mapped IPv6 to IPv4 and drops the zone of IPv6. */
export function readAddress(text: string | undefined): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (text === undefined) return undefined;
  const address = withoutPort(text).replace(/^([^%]*:[^%]*)%.*$/, "$1");
  return isIP(address) && ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
}

/** Removes port and brackets, as in `192.0.2.1:5678` and `[2001:db8::5]:77`. */
function withoutPort(address: string): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(address) ?? [];
  return ipv6 ?? ipv4 ?? address;
}
