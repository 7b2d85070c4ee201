import { isIPv4, type Socket } from "node:net";

/** The IP address at the other end of a connection, "" if it is closed. Returns IPv4 inside IPv6 as IPv4. */
export function peerAddress({ remoteAddress: address = "" }: Pick<Socket, "remoteAddress">): string {
  const inner = address.replace(/^::ffff:/i, "");
  return isIPv4(inner) ? inner : address;
}
