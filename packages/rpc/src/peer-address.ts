import { isIPv4, type Socket } from "node:net";

/** The IP address at the other end of a connection, "" if it is closed. Converts IPv4-mapped IPv6 to IPv4. */
export function peerAddress({ remoteAddress: address = "" }: Pick<Socket, "remoteAddress">): string {
  const inner = address.replace(/^::ffff:/i, "");
  return isIPv4(inner) ? inner : address;
}
