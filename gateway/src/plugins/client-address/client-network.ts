import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { readAddress } from "./client-address.ts";

/**
 * What calls without a token are counted by: an IPv4 address, or the /64 of an IPv6 one, because whoever has one
 * address of a /64 has all of them. Clients whose address cannot be believed count as one.
 */
export function clientNetwork({ ip }: Pick<FastifyRequest, "ip">): string {
  const address = readAddress(ip);
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? "";
  return address.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":");
}
