import { testEnvironment } from "@canvass/service/testing";
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { readWebhookConfig } from "./config.ts";

const key = (bytes = 32) => randomBytes(bytes).toString("base64");
const read = (keys: string) => readWebhookConfig({ ...testEnvironment(), CANVASS_SECRETS_KEY: keys });

test.each([key(), `${key()},${key()}`, `${key()} , ${key()}`])("%s are keys of secrets", (keys) => {
  expect(read(keys).CANVASS_SECRETS_KEY).toBe(keys);
});

test.each([key(31), key(33), `${key()},`, `${key()};${key()}`, "x".repeat(44)])(
  "%s are no keys of secrets: the error is one line that names the variable and not the value",
  (keys) => {
    expect(() => read(keys)).toThrow(/^[^\n]*CANVASS_SECRETS_KEY[^\n]*$/);
    expect(() => read(keys)).not.toThrow(keys);
  },
);
