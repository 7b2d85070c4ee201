import { expect, test } from "vitest";
import { createAddressPolicy } from "../src/address-policy.ts";
import { createConnections, MAX_IDLE } from "../src/connections.ts";

const target = (path: string) => ({
  url: new URL(path, "https://hooks.example"),
  servername: "hooks.example",
  address: "203.0.113.1",
});

test("idle connections are bounded in all; those of the endpoint that was used least recently go first", async () => {
  await using connections = createConnections({ policy: createAddressPolicy(), idleMs: 1000 });
  const all = Array.from({ length: MAX_IDLE + 1 }, (_, index) => connections.take(target(`/${index}`)));
  for (const connection of all) connections.giveBack(connection);
  expect(all.map(({ client }) => client.destroyed).lastIndexOf(true)).toBe(0);
  // Taken and given back, the second is the newest.
  expect(connections.take(target("/1"))).toBe(all[1]);
  connections.giveBack(all[1]!);
  connections.giveBack(connections.take(target("/new")));
  expect(all.flatMap(({ client }, index) => (client.destroyed ? [index] : []))).toEqual([0, 2]);
});

test("a connection that is discarded is not given again", async () => {
  await using connections = createConnections({ policy: createAddressPolicy(), idleMs: 1000 });
  const first = connections.take(target("/"));
  connections.giveBack(first);
  expect(connections.take(target("/"))).toBe(first);
  connections.discard(first);
  expect(connections.take(target("/"))).not.toBe(first);
});
