import { readConfig } from "@canvass/telemetry";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { busEnvironment } from "./event-bus.ts";

const read = (environment: Record<string, string>) => readConfig(Type.Object(busEnvironment), environment);
const NATS_URL = "nats://localhost";

test.each([
  [undefined, 1],
  ["", 1],
  ["1", 1],
  ["3", 3],
  ["5", 5],
])("CANVASS_NATS_REPLICAS=%s: %i replicas", (text, replicas) => {
  const environment = { NATS_URL, ...(text === undefined ? {} : { CANVASS_NATS_REPLICAS: text }) };
  expect(read(environment)).toEqual({ NATS_URL, CANVASS_NATS_REPLICAS: replicas });
});

test.each(["0", "2", "4", "7", "3.5", "-3", "three"])("CANVASS_NATS_REPLICAS=%s is refused", (text) => {
  expect(() => read({ CANVASS_NATS_REPLICAS: text })).toThrow(/NATS_URL.*CANVASS_NATS_REPLICAS.*1, 3 or 5/);
});
