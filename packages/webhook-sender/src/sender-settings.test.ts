import { createLogger, readConfig } from "@canvass/telemetry";
import { testReceiver } from "@canvass/testing/https-receiver";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "typebox";
import { expect, test } from "vitest";
import { readSenderSettings, webhookEnvironment } from "./sender-settings.ts";

const log = createLogger({ service: "test", level: "silent" });
const read = (environment: Record<string, string>) =>
  readSenderSettings(readConfig(Type.Object(webhookEnvironment), environment), log);

test("without settings only public addresses on 443 are open", () => {
  expect(read({})).toEqual({ allowedCidrs: [], ports: [443], extraCa: undefined });
});

test("lists are split, and the file of authorities is read", async () => {
  await using receiver = await testReceiver();
  await using directory = await mkdtempDisposable(join(tmpdir(), "canvass-sender-"));
  const file = join(directory.path, "ca.pem");
  await writeFile(file, receiver.ca);
  const environment = {
    CANVASS_WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8, ::1/128",
    CANVASS_WEBHOOK_PORTS: "443,8443",
    CANVASS_WEBHOOK_CA_FILE: file,
  };
  const settings = { allowedCidrs: ["127.0.0.0/8", "::1/128"], ports: [443, 8443], extraCa: receiver.ca };
  expect(read(environment)).toEqual(settings);
});

test.each([
  ["CANVASS_WEBHOOK_ALLOWED_CIDRS", "127.0.0.1"],
  ["CANVASS_WEBHOOK_PORTS", "https"],
  ["CANVASS_WEBHOOK_PORTS", "443,70000"],
  ["CANVASS_WEBHOOK_CA_FILE", "/nope"],
  ["CANVASS_WEBHOOK_CA_FILE", import.meta.filename],
])("%s=%s is refused by the variable's name, without the value", (variable, value) => {
  expect(() => read({ [variable]: value })).toThrow(variable);
  expect(() => read({ [variable]: value })).not.toThrow(value);
});
