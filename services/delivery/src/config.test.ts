import { testEnvironment } from "@canvass/service/testing";
import { expect, test } from "vitest";
import { readDeliveryConfig } from "./config.ts";

const environment = { ...testEnvironment(), CANVASS_SECRETS_KEY: Buffer.alloc(32).toString("base64") };

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
