import { isIPv4, type Socket } from "node:net";

/** The IP address at the other end of a connection, "" when it is closed; IPv4 inside IPv6 is given as the former. */
export function peerAddress({ remoteAddress: address = "" }: Pick<Socket, "remoteAddress">): string {
  const inner = address.replace(/^::ffff:/i, "");
  return isIPv4(inner) ? inner : address;
}
