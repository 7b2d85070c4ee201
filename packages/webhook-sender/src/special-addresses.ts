/** The whole IANA special-purpose registry (RFC 6890 and updates), multicast, reserved addresses and broadcast. */
export const specialIpv4Blocks: readonly string[] = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private use
  "100.64.0.0/10", // shared address space of carriers, and metadata servers of some clouds
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // a public address on which one cloud serves its own machines
  "169.254.0.0/16", // link local, metadata servers
  "172.16.0.0/12", // private use
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private use
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
];

/** The public IPv6 space. IPv4-mapped and NAT64 addresses lie outside. */
export const publicIpv6Block = "2000::/3";

export const specialIpv6Blocks: readonly string[] = [
  "2001::/23", // protocol assignments: Teredo, benchmarking, ORCHID, AMT, AS112
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4, which embeds IPv4
  "2620:4f:8000::/48", // AS112
  "3ffe::/16", // the former 6bone
  "3fff::/20", // documentation
];
