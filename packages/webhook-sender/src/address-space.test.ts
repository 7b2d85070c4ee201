import fc from "fast-check";
import { BlockList, isIPv6 } from "node:net";
import { expect, test } from "vitest";
import { createAddressPolicy } from "./address-policy.ts";

/** The IANA special-purpose registries, entry by entry, with multicast. */
const ipv4Registry =
  "0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.0.0/29 192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.88.99.2/32 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32";
const ipv6Registry =
  "::1/128 ::/128 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:1::1/128 2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 ff00::/8";
const ipv4Refused = [...ipv4Registry.split(" "), "168.63.129.16/32"];
// Also refused: addresses outside 2000::/3, and the former 6bone.
const ipv6Refused = [...ipv6Registry.split(" "), "::/3", "4000::/2", "8000::/1", "3ffe::/16"];

const policy = createAddressPolicy();
// The tests compare the policy with Node's own implementation.
const ipv4List = listOf(ipv4Refused, "ipv4");
const ipv6List = listOf(ipv6Refused, "ipv6");

function listOf(blocks: string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [network = "", bits] = block.split("/");
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

const ipv4Text = (value: bigint): string => [24n, 16n, 8n, 0n].map((by) => (value >> by) & 0xffn).join(".");
const groupsOf = (value: bigint): bigint[] =>
  [7, 6, 5, 4, 3, 2, 1, 0].map((at) => (value >> BigInt(at * 16)) & 0xffffn);
const ipv6Text = (value: bigint): string =>
  groupsOf(value)
    .map((group) => group.toString(16))
    .join(":");

function valueOf(network: string): bigint {
  if (!isIPv6(network)) return network.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head = "", tail = ""] = network.split("::");
  const [before, after] = [head, tail].map((part) => (part === "" ? [] : part.split(":")));
  const zeros = Array<string>(8 - before!.length - after!.length).fill("0");
  return [...before!, ...zeros, ...after!].reduce((sum, part) => sum * 65_536n + BigInt(`0x${part}`), 0n);
}

/** Returns the first and last address of a block and their neighbours. */
function edgesOf(block: string): bigint[] {
  const [network = "", bits = ""] = block.split("/");
  const width = isIPv6(network) ? 128n : 32n;
  const first = valueOf(network);
  const last = first + (1n << (width - BigInt(bits))) - 1n;
  return [first - 1n, first, last, last + 1n].filter((value) => value >= 0n && value < 1n << width);
}

const isatap = (value: bigint): boolean => ((value >> 32n) & 0xfdffffffn) === 0x5efen;
const evaluateIpv4 = (value: bigint) => [ipv4Text(value), policy.permits(ipv4Text(value), 443)];
const evaluateIpv6 = (value: bigint) => [ipv6Text(value), policy.permits(ipv6Text(value), 443)];
const expectIpv4 = (value: bigint) => [ipv4Text(value), !ipv4List.check(ipv4Text(value))];
const expectIpv6 = (value: bigint) => [ipv6Text(value), !ipv6List.check(ipv6Text(value), "ipv6") && !isatap(value)];

test("every IPv4 block of eight bits begins and ends as the registry tells", () => {
  for (let head = 0n; head < 256n; head += 1n) {
    for (const value of [head << 24n, (head << 24n) + 1n, (head << 24n) + 0xffffffn]) {
      expect(evaluateIpv4(value)).toEqual(expectIpv4(value));
    }
  }
});

test.each(ipv4Refused)("%s is refused from its first to its last address, its neighbours are judged alone", (block) => {
  for (const value of edgesOf(block)) expect(evaluateIpv4(value)).toEqual(expectIpv4(value));
  for (const value of edgesOf(block).slice(-3, -1)) expect(policy.permits(ipv4Text(value), 443)).toBe(false);
});

test.each(ipv6Refused)("%s is refused from its first to its last address, its neighbours are judged alone", (block) => {
  for (const value of edgesOf(block)) expect(evaluateIpv6(value)).toEqual(expectIpv6(value));
  expect(policy.permits(ipv6Text(valueOf(block.split("/")[0]!)), 443)).toBe(false);
});

const ipv4 = fc.bigInt({ min: 0n, max: (1n << 32n) - 1n });
const ipv6 = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });
/** Addresses in 2000::/3, half of them near the special blocks there. */
const unicast = fc.oneof(
  ipv6.map((value) => (value & ~(7n << 125n)) | (1n << 125n)),
  fc.tuple(fc.constantFrom(0x2001n, 0x2002n, 0x2620n, 0x3ffen, 0x3fffn), ipv6).map(([head, value]) => {
    return (head << 112n) | (value & ((1n << 112n) - 1n));
  }),
);

test("any address is permitted exactly when no registry names it", () => {
  fc.assert(
    fc.property(ipv4, (value) => {
      expect(evaluateIpv4(value)).toEqual(expectIpv4(value));
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(fc.oneof(ipv6, unicast), (value) => {
      expect(evaluateIpv6(value)).toEqual(expectIpv6(value));
    }),
    { numRuns: 2000 },
  );
});

/** Ways to embed an IPv4 address in an IPv6 address. */
const embeddings: Record<string, (value: bigint, other: bigint) => bigint> = {
  compatible: (value) => value,
  mapped: (value) => (0xffffn << 32n) | value,
  translated: (value) => (0xffff_0000n << 32n) | value,
  "well-known NAT64": (value) => (0x64_ff9bn << 96n) | value,
  "local NAT64": (value, other) => (0x64_ff9b_0001n << 80n) | ((other & 0xffffffffffffn) << 32n) | value,
  "6to4": (value, other) => (0x2002n << 112n) | (value << 80n) | (other & ((1n << 80n) - 1n)),
  "Teredo server": (value, other) => (0x2001_0000n << 96n) | (value << 64n) | (other & ((1n << 64n) - 1n)),
  "Teredo client": (value, other) =>
    (0x2001_0000n << 96n) | ((other & 0xffffffffffffffffn) << 32n) | (value ^ 0xffffffffn),
  ISATAP: (value, other) => (((other & 0x1fffffffffffffffn) | (1n << 61n)) << 64n) | (0x5efen << 32n) | value,
  "global ISATAP": (value, other) =>
    (((other & 0x1fffffffffffffffn) | (1n << 61n)) << 64n) | (0x0200_5efen << 32n) | value,
};

test.each(Object.entries(embeddings))(
  "no address that embeds IPv4 is public, however it is written: %s",
  (_name, embed) => {
    fc.assert(
      fc.property(ipv4, ipv6, (value, other) => {
        const groups = groupsOf(embed(value, other)).map((group) => group.toString(16));
        const padded = groups.map((group) => group.padStart(4, "0"));
        const dotted = `${groups.slice(0, 6).join(":")}:${ipv4Text(embed(value, other) & 0xffffffffn)}`;
        const compressed = new URL(`https://[${groups.join(":")}]`).hostname.slice(1, -1);
        for (const text of [groups.join(":"), padded.join(":").toUpperCase(), dotted, compressed]) {
          expect([text, policy.permits(text, 443)]).toEqual([text, false]);
        }
      }),
    );
  },
);
