import type { FastifyRequest } from "fastify";
import { clientAddress } from "./client-address.ts";

/**
 * What calls without a token are counted by: an IPv4 address, or the /64 of an IPv6 one, because whoever has one
 * address of a /64 has all of them. Clients whose address cannot be believed count as one.
 */
export function clientNetwork(request: Pick<FastifyRequest, "ip">): string {
  const address = clientAddress(request);
  return address.includes(":") ? slash64(address) : address;
}

/** The first four groups in full, however the address is written: `2001:db8::1` gives `2001:db8:0:0`. */
function slash64(address: string): string {
  const [head = "", tail] = address.toLowerCase().replace(/%.*$/, "").split("::");
  const groups = groupsOf(head);
  if (tail !== undefined) {
    const behind = groupsOf(tail);
    groups.push(...Array<string>(8 - groups.length - behind.length).fill("0"), ...behind);
  }
  return groups.slice(0, 4).join(":");
}

/** Without leading zeros; a trailing dotted quad is two groups. */
function groupsOf(part: string): string[] {
  if (part === "") return [];
  return part.split(":").flatMap((group) => (group.includes(".") ? ["v4", "v4"] : [group.replace(/^0+(?=.)/, "")]));
}
