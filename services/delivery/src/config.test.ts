import { expect, test } from "vitest";
import { readDeliveryConfig } from "./config.ts";

const environment = {
  CANVASS_RPC_PORT: "0",
  CANVASS_OPS_PORT: "0",
  CANVASS_PEER_KEY: "p".repeat(32),
  CANVASS_CALLER_PUBLIC_KEY: "c".repeat(60),
  CANVASS_CURSOR_KEY: "k".repeat(44),
  CANVASS_WEBHOOK_URL: "http://127.0.0.1:9",
  CANVASS_TOKEN_URL: "http://127.0.0.1:9",
  DATABASE_URL: "postgres://127.0.0.1/delivery",
  NATS_URL: "nats://127.0.0.1:9",
};

test("a wrong environment is one line that names every variable at fault and no value", () => {
  const wrong = {
    ...environment,
    CANVASS_WEBHOOK_RETRY_SECONDS: "11,22,33",
    CANVASS_WEBHOOK_ALLOWED_CIDRS: "10.0.0.0/99",
    CANVASS_WEBHOOK_CA_FILE: "/nope",
    CANVASS_OPS_PORT: "many",
  };
  const read = () => readDeliveryConfig(wrong);
  expect(read).toThrow(/^[^\n]*$/);
  const variables = [
    "CANVASS_OPS_PORT",
    "CANVASS_WEBHOOK_ALLOWED_CIDRS",
    "CANVASS_WEBHOOK_CA_FILE",
    "CANVASS_WEBHOOK_RETRY_SECONDS",
  ];
  expect(read).toThrow(new RegExp(variables.join(".*")));
  expect(read).not.toThrow(/11,22|10\.0\.0\.0|nope|many|CANVASS_PEER_KEY/);
  expect(readDeliveryConfig(environment)).toMatchObject({ CANVASS_WEBHOOK_RETRY_SECONDS: "" });
});
