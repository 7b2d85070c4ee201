import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { readAddress } from "./client-address.ts";

/** The key for limits without a token: an IPv4 address, or an IPv6 /64, which one client has as a whole. */
export function clientNetwork({ ip }: { ip: FastifyRequest["ip"] | undefined }): string {
  const address = readAddress(ip);
  if (!(address instanceof ipaddr.IPv6)) return address?.toString() ?? "";
  return address.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":");
}
