const recordBytes = 3;
const marker = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");

/**
 * Builds a country database of IPv4 networks in the MMDB format 2.0. Keys are the first address and prefix length.
 * `wrap` makes the record of a code.
 */
export function countryDatabase(networks: Record<string, string>, wrap: (code: string) => object): Buffer {
  const records = Object.entries(networks).map(([network, code]) => ({ ...bitsOf(network), data: encode(wrap(code)) }));
  /** Left and right child of each node: another node, a record, or nothing. */
  const nodes: (number | { record: number } | null)[][] = [[null, null]];
  for (const [record, { bits }] of records.entries()) {
    let at = 0;
    for (const [index, bit] of bits.entries()) {
      if (index === bits.length - 1) nodes[at]![bit] = { record };
      else {
        const next = nodes[at]![bit];
        nodes[at]![bit] = typeof next === "number" ? next : nodes.push([null, null]) - 1;
        at = nodes[at]![bit] as number;
      }
    }
  }
  const offsets = records.map((_, index) => records.slice(0, index).reduce((sum, { data }) => sum + data.length, 0));
  const tree = Buffer.alloc(nodes.length * 2 * recordBytes);
  nodes.flat().forEach((side, index) => {
    const value =
      side === null ? nodes.length : typeof side === "number" ? side : nodes.length + 16 + offsets[side.record]!;
    tree.writeUIntBE(value, index * recordBytes, recordBytes);
  });
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    database_type: "test",
    description: {},
    ip_version: 4,
    languages: {},
    node_count: nodes.length,
    record_size: recordBytes * 8,
  };
  return Buffer.concat([tree, Buffer.alloc(16), ...records.map(({ data }) => data), marker, encode(metadata)]);
}

function bitsOf(network: string): { bits: number[] } {
  const [address = "", length] = network.split("/");
  const number = Buffer.from(address.split(".").map(Number)).readUInt32BE();
  return { bits: Array.from({ length: Number(length) }, (_, index) => (number >>> (31 - index)) & 1) };
}

function encode(value: unknown): Buffer {
  if (typeof value === "string") return Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)]);
  if (typeof value === "number") return Buffer.from([(5 << 5) | 2, value >> 8, value & 255]);
  const entries = Object.entries(value as object)
    .flat()
    .map(encode);
  return Buffer.concat([Buffer.from([(7 << 5) | (entries.length / 2)]), ...entries]);
}
