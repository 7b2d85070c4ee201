import ipaddr from "ipaddr.js";
import { publicIpv6Block, specialIpv4Blocks, specialIpv6Blocks } from "./special-addresses.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = [Address, number];

export interface AddressPolicyOptions {
  /** Private blocks that are permitted on any port, for tests and demonstrations. */
  allowedCidrs?: readonly string[];
  ports?: readonly number[];
}

export interface AddressPolicy {
  permits(address: string, port: number): boolean;
  /** Returns the violations, in words for the webhook's owner; empty if permitted. */
  problems(address: string, port: number): string[];
  /** Returns the violations that are known before the name is resolved. */
  portProblems(port: number): string[];
}

const special = [...specialIpv4Blocks, ...specialIpv6Blocks].map(parseBlock);
const publicIpv6 = parseBlock(publicIpv6Block);

/** Permits public addresses only (contract 8.4), in canonical notation without a zone. Throws for a malformed block. */
export function createAddressPolicy({ allowedCidrs = [], ports = [443] }: AddressPolicyOptions = {}): AddressPolicy {
  const allowed = allowedCidrs.map(parseBlock);
  const portProblem = `must use ${ports.length === 1 ? "port" : "one of the ports"} ${ports.join(", ")}`;
  const closedPort = (port: number) => (ports.includes(port) ? [] : [portProblem]);

  function problems(text: string, port: number): string[] {
    const address = parseAddress(text);
    if (address && allowed.some((block) => lies(address, block))) return [];
    return [...closedPort(port), ...(address && isPublic(address) ? [] : [notPublic])];
  }

  return {
    problems,
    permits: (address, port) => problems(address, port).length === 0,
    portProblems: (port) => (allowed.length > 0 ? [] : closedPort(port)),
  };
}

const notPublic = "must lead to a public internet address";

function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv6 && (!lies(address, publicIpv6) || isIsatap(address))) return false;
  return !special.some((block) => lies(address, block));
}

/** ISATAP embeds an IPv4 address behind any prefix (RFC 5214, 6.1). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4]! & ~0x0200) === 0 && parts[5] === 0x5efe;
}

function lies(address: Address, [network, bits]: Block): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/** Accepts canonical notations only: resolvers and sockets use no others. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) && !text.includes("%") ? ipaddr.IPv6.parse(text) : undefined;
}

function parseBlock(text: string): Block {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  throw new Error(`${text} is not an address block like 192.0.2.0/24`);
}
