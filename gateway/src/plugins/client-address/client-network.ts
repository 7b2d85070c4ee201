import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { readAddress } from "./client-address.ts";

/**
 * Returns the key for limits of calls without a token: an IPv4 address, or the /64 of an IPv6 address, since one client
 * has all of a /64. Clients without a valid address share a key.
 */
export function clientNetwork({ ip }: { ip: FastifyRequest["ip"] | undefined }): string {
  const address = readAddress(ip);
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? "";
  return address.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":");
}
