import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAddressPolicy } from "./address-policy.ts";

const policy = createAddressPolicy();

describe("addresses that may never be reached", () => {
  test.each([
    // IPv4: addresses in special blocks, the first and the last of many
    ["0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "100.100.100.200"],
    ["127.0.0.1", "127.255.255.255", "168.63.129.16", "169.254.0.0", "169.254.169.254", "169.254.255.255"],
    ["172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.9", "192.0.0.192", "192.0.0.255", "192.0.2.1"],
    ["192.31.196.1", "192.52.193.1", "192.88.99.1", "192.168.0.0", "192.168.255.255", "192.175.48.1"],
    ["198.18.0.0", "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.255", "240.0.0.1"],
    ["255.255.255.255"],
    // IPv6: unspecified, loopback, embedded IPv4 addresses, other special blocks, and what is outside of 2000::/3
    ["::", "::1", "0:0:0:0:0:0:0:1", "::7f00:1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:7f00:1"],
    ["::ffff:0:7f00:1", "64:ff9b::7f00:1", "64:ff9b::8.8.8.8", "64:ff9b:1::1", "::5efe:7f00:1", "2002:7f00:1::1"],
    ["2002:808:808::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1", "2001:10::1", "2001:20::1"],
    ["2001:1ff:ffff::1", "2001:db8::1", "3fff::1", "3fff:fff::1", "3ffe::1", "2620:4f:8000::1"],
    ["fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "100::1", "5f00::1", "4000::1"],
    ["::ffff:8.8.8.8", "1fff::1", "::808:808"],
    // not an address in its canonical form
    [
      "",
      "localhost",
      "2130706433",
      "0x7f.1",
      "127.1",
      "0177.0.0.1",
      "010.0.0.1",
      "8.8.8",
      "8.8.8.8.8",
      "[::1]",
      " 8.8.8.8",
    ],
  ])("%s …", (...addresses) => {
    for (const address of addresses) expect([address, policy.permits(address, 443)]).toEqual([address, false]);
  });
});

test("public addresses may be reached, on the ports that are open", () => {
  const open = ["8.8.8.8", "1.1.1.1", "93.184.216.34", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0"];
  const open6 = ["2606:4700::1111", "2a00:1450:4001:800::200e", "2400:cb00::1", "2001:200::1", "2001:4860:4860::8888"];
  for (const address of [...open, ...open6]) {
    expect([address, policy.permits(address, 443)]).toEqual([address, true]);
    expect(policy.permits(address, 8443)).toBe(false);
    expect(createAddressPolicy({ ports: [8443] }).permits(address, 8443)).toBe(true);
  }
});

test("an allowed block opens itself on any port, and nothing beside it", () => {
  const loopback = createAddressPolicy({ allowedCidrs: ["127.0.0.0/8"] });
  expect(loopback.permits("127.0.0.1", 40123)).toBe(true);
  expect(loopback.permits("::1", 40123)).toBe(false);
  expect(loopback.permits("::ffff:127.0.0.1", 40123)).toBe(false);
  expect(loopback.permits("10.0.0.1", 40123)).toBe(false);
  expect(loopback.permits("8.8.8.8", 40123)).toBe(false);
  expect(createAddressPolicy({ allowedCidrs: ["::1/128"] }).permits("::1", 1)).toBe(true);
  expect(() => createAddressPolicy({ allowedCidrs: ["127.0.0.1"] })).toThrow(/127\.0\.0\.1 is not an address block/);
});

test.each(["010.0.0.0/8", "10/8", "0x0a.0.0.0/8", "10.0.0.0/33"])(
  "a block may be written in one way only: %s",
  (block) => {
    expect(() => createAddressPolicy({ allowedCidrs: [block] })).toThrow("is not an address block");
  },
);

test("outside 2000::/3 no IPv6 address is public, whatever it is made of", () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const first = group.filter((value) => value >>> 13 !== 1);
  fc.assert(
    fc.property(first, fc.array(group, { minLength: 7, maxLength: 7 }), (head, tail) => {
      const address = [head, ...tail].map((value) => value.toString(16)).join(":");
      expect(policy.permits(address, 443)).toBe(false);
    }),
  );
});

describe("what is said of an address and a port that may not be reached", () => {
  const address = "must lead to a public internet address";
  test.each([
    [{}, "8.8.8.8", 443, []],
    [{}, "8.8.8.8", 8443, ["must use port 443"]],
    [{}, "10.0.0.1", 443, [address]],
    [{}, "10.0.0.1", 8443, ["must use port 443", address]],
    [{ ports: [443, 8443] }, "8.8.8.8", 22, ["must use one of the ports 443, 8443"]],
    [{ allowedCidrs: ["10.0.0.0/8"] }, "10.0.0.1", 8443, []],
    [{ allowedCidrs: ["10.0.0.0/8"] }, "8.8.8.8", 8443, ["must use port 443"]],
  ])("%j: %s port %d", (options, text, port, problems) => {
    expect(createAddressPolicy(options).problems(text, port)).toEqual(problems);
  });
});
