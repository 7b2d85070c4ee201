import { expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8::1", "2001:db8::1"],
  ["unknown", ""],
  ["192.0.2.1, 10.0.0.1", ""],
  ["é\n", ""],
  ["", ""],
])("%j is %j", (ip, address) => {
  expect(clientAddress({ ip })).toBe(address);
});
