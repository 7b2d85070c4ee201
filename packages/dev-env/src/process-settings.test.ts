import { PROCESSES } from "@canvass/processes";
import { expect, test } from "vitest";

import { portNames, processSettings, settingsFor } from "./process-settings.ts";
import type { SystemSettings } from "./process-settings.ts";

const system: SystemSettings = {
  keys: {
    peerKey: "peer",
    callerPrivateKey: "private",
    callerPublicKey: "public",
    operatorKey: "operator",
    cursorKey: "cursor",
    secretsKey: "secrets",
    databasePasswords: {},
  },
  ports: Object.fromEntries(portNames(PROCESSES).map((name, index) => [name, 21_000 + index])),
  host: "127.0.0.1",
  port: 8080,
  publicUrl: "http://127.0.0.1:8080",
  natsUrl: "nats://127.0.0.1:4222",
  mailDir: "/data/mail",
  filesDir: "/data/files",
  tlsFiles: undefined,
};

function settingsOf(name: string): Record<string, string> {
  const process = PROCESSES.find((each) => each.name === name)!;
  return processSettings(process, system, process.migrations && "postgresql://127.0.0.1/own");
}
const holdersOf = (variable: string) =>
  PROCESSES.map(({ name }) => name).filter((name) => variable in settingsOf(name));
const services = PROCESSES.map(({ name }) => name).filter((name) => name !== "gateway");

test.each([
  ["CANVASS_CALLER_PRIVATE_KEY", ["token"]],
  ["CANVASS_OPERATOR_KEY", services],
  ["CANVASS_SECRETS_KEY", ["webhook", "delivery"]],
  ["CANVASS_CURSOR_KEY", services],
  ["DATABASE_URL", services],
  ["CANVASS_PEER_KEY", ["gateway", ...services]],
  ["CANVASS_MAIL_DIR", ["token"]],
  ["CANVASS_FILES_DIR", ["response"]],
  ["CANVASS_PORT", ["gateway"]],
])("%s goes only to the processes that need it", (variable, holders) => {
  expect(holdersOf(variable)).toEqual(holders);
});

test("the gateway finds every service, at the port where it listens, and all ports differ", () => {
  for (const name of services) {
    const port = settingsOf(name)["CANVASS_RPC_PORT"];
    expect(settingsOf("gateway")[`CANVASS_${name.toUpperCase()}_URL`]).toBe(`http://127.0.0.1:${port}`);
  }
  expect(settingsOf("gateway")).toMatchObject({ CANVASS_HOST: "127.0.0.1", CANVASS_PORT: "8080" });
  const ports = ["CANVASS_RPC_PORT", "CANVASS_OPS_PORT"].flatMap((port) =>
    services.map((name) => settingsOf(name)[port]),
  );
  expect(new Set(ports).size).toBe(ports.length);
});

test("settings for all processes go to each, and a secret among them only to those that read it", () => {
  const env = { CANVASS_SMTP_URL: "smtps://user:password@mail", CANVASS_LOG_LEVEL: "warn", OTEL_SERVICE_NAME: "x" };
  for (const definition of PROCESSES) {
    const { CANVASS_SMTP_URL, ...rest } = env;
    expect(settingsFor(definition, env)).toEqual(definition.name === "token" ? { ...rest, CANVASS_SMTP_URL } : rest);
  }
});
