import { expect, test } from "vitest";
import { peerAddress } from "./peer-address.ts";

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:192.0.2.7", "192.0.2.7"],
  ["2001:db8::7", "2001:db8::7"],
  ["::ffff:0:1", "::ffff:0:1"],
  [undefined, ""],
])("normalizes %s to %j", (remoteAddress, address) => {
  expect(peerAddress({ remoteAddress })).toBe(address);
});
