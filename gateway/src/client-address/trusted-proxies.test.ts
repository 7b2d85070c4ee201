import { expect, test } from "vitest";
import { readGatewayConfig } from "../config.ts";
import { proxyMatcher } from "./trusted-proxies.ts";

test.each([
  ["192.0.2.1", true],
  ["192.0.2.1:443", true],
  ["192.0.2.2", false],
  ["10.1.2.3", true],
  ["::ffff:10.1.2.3", true],
  ["[2001:db8::5]:77", true],
  ["2001:db9::5", false],
  ["::ffff:a01:203", true],
  ["198.51.100.7", true],
  ["198.51.101.7", false],
  ["unknown", false],
  ["", false],
])("whether %j is a proxy: %s", (address, is) => {
  expect(proxyMatcher("192.0.2.1, 10.0.0.0/8,2001:db8::/32, ::ffff:198.51.100.0/120")(address)).toBe(is);
});

test.each([
  "",
  "proxy.example",
  "10.0.0.0/",
  "10.0.0.0/33",
  "10.0.0.0/8/8",
  "10.0.0.1,",
  "10.0.0.0/255.0.0.0",
  "010.0.0.0/8",
  "10/8",
])("a list with what is neither an address nor a CIDR stops the start: %j", (list) =>
  expect(() => proxyMatcher(list)).toThrow("neither an address nor a CIDR"),
);

test("the error about an invalid list has the name of the variable, not its value", () => {
  const read = () => readGatewayConfig({ CANVASS_TRUSTED_PROXIES: "loopback" });
  expect(read).toThrow("CANVASS_TRUSTED_PROXIES");
  expect(read).not.toThrow("loopback");
});
