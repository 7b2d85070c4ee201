import { expect, test } from "vitest";
import { addressesOf, createResolveHost } from "./resolve-host.ts";

const resolveHost = createResolveHost();

const hostsFile = `
127.0.0.1 localhost   # the usual
::1  localhost ip6-localhost
# 10.0.0.1 commented
10.0.0.2	Inner.example inner
nonsense inner
`;

test("a hosts file gives all addresses of a name", () => {
  expect(addressesOf("localhost", hostsFile)).toEqual(["127.0.0.1", "::1"]);
  expect(addressesOf("INNER.example", hostsFile)).toEqual(["10.0.0.2"]);
  expect(addressesOf("commented", hostsFile)).toEqual([]);
  expect(addressesOf("usual", hostsFile)).toEqual([]);
});

test("the local host needs no name server", async () => {
  expect(await resolveHost("localhost", 1000)).toContain("127.0.0.1");
});

test("a name that does not exist has no address", async () => {
  await expect(resolveHost("nobody.invalid", 1000)).rejects.toThrow(/nobody\.invalid/);
});
