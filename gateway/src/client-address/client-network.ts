import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { readAddress } from "./client-address.ts";

/**
 * Returns the network whose requests without a token count together: an IPv4 address, or the first half of an IPv6
 * address, because one client has a whole /64. Returns "" like `clientAddress`.
 */
export function clientNetwork({ ip }: { ip: FastifyRequest["ip"] | undefined }): string {
  const address = readAddress(ip);
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? "";
  return address.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":");
}
