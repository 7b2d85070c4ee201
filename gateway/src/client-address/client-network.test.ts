import fc from "fast-check";
import { expect, test } from "vitest";
import { clientNetwork } from "./client-network.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::ffff:c000:201", "192.0.2.1"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["2001:0DB8:0000:00a0:1:2:3:4", "2001:db8:0:a0"],
  ["::1", "0:0:0:0"],
  ["1::", "1:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
  ["64:ff9b::192.0.2.1", "64:ff9b:0:0"],
  ["not an address", ""],
])("the network of %s is %j", (ip, network) => {
  expect(clientNetwork({ ip })).toBe(network);
});

test("every way to write an address of one /64 is the same network, and another /64 is another", () => {
  const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
  const padded = (parts: number[]) => parts.map((part) => part.toString(16).padStart(4, "0")).join(":");
  // `URL` writes addresses in their short form.
  const shortened = (parts: number[]) => new URL(`http://[${padded(parts)}]`).hostname.slice(1, -1);
  fc.assert(
    fc.property(groups, groups, (one, other) => {
      const neighbour = [...one.slice(0, 4), ...other.slice(4)];
      expect(clientNetwork({ ip: shortened(one) })).toBe(clientNetwork({ ip: padded(neighbour).toUpperCase() }));
      const elsewhere = [...one.slice(0, 3), (one[3]! + 1) % 0x10000, ...one.slice(4)];
      expect(clientNetwork({ ip: shortened(elsewhere) })).not.toBe(clientNetwork({ ip: shortened(one) }));
    }),
  );
});
