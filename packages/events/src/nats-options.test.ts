import { expect, test } from "vitest";
import { natsOptions } from "./nats-options.ts";

test.each([
  ["nats://localhost:4222", { servers: ["localhost:4222"] }],
  ["localhost", { servers: ["localhost:4222"] }],
  ["nats://a:1, nats://b:2", { servers: ["a:1", "b:2"] }],
  ["nats://ann:s%40cret@a:1,b:2", { servers: ["a:1", "b:2"], user: "ann", pass: "s@cret" }],
  ["nats://t0ken@a", { servers: ["a:4222"], token: "t0ken" }],
  ["tls://a", { servers: ["a:4222"], tls: {} }],
])("%s gives %j", (url, expected) => {
  expect(natsOptions(url, "n", undefined)).toMatchObject(expected);
});

test("certificates are for an address that asks for TLS", () => {
  expect(natsOptions("nats://a", "n", { ca: "pem" }).tls).toBeUndefined();
  expect(natsOptions("tls://a", "n", { ca: "pem" }).tls).toMatchObject({ ca: "pem" });
});
