import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { portNames, PROCESSES, processSettings } from "./processes.ts";
import type { SystemSettings } from "./processes.ts";
import { WORKSPACE_ROOT } from "./workspace-root.ts";

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
  tlsFiles: undefined,
};

function settingsOf(name: string): Record<string, string> {
  const process = PROCESSES.find((each) => each.name === name)!;
  return processSettings(process, system, process.migrations && "postgresql://127.0.0.1/own");
}
const holdersOf = (variable: string) =>
  PROCESSES.map(({ name }) => name).filter((name) => variable in settingsOf(name));

describe("settings of the processes", () => {
  test("a secret goes only to the processes that need it", () => {
    expect(holdersOf("CANVASS_CALLER_PRIVATE_KEY")).toEqual(["token"]);
    expect(holdersOf("CANVASS_OPERATOR_KEY")).toEqual(["token"]);
    expect(holdersOf("CANVASS_SECRETS_KEY")).toEqual(["webhook"]);
    expect(holdersOf("CANVASS_CURSOR_KEY")).not.toContain("gateway");
    expect(holdersOf("CANVASS_PEER_KEY")).toHaveLength(PROCESSES.length);
  });

  test("everyone finds every service, at the port where it listens", () => {
    for (const name of ["token", "survey", "response", "distribution", "webhook", "delivery"]) {
      const port = settingsOf(name)["CANVASS_RPC_PORT"];
      expect(settingsOf("gateway")[`CANVASS_${name.toUpperCase()}_URL`]).toBe(`http://127.0.0.1:${port}`);
    }
    const ports = PROCESSES.flatMap(({ name }) => [
      settingsOf(name)["CANVASS_RPC_PORT"],
      settingsOf(name)["CANVASS_OPS_PORT"],
    ]);
    expect(new Set(ports).size).toBe(2 * PROCESSES.length);
  });

  test("only the process that writes mails is told where to", () => {
    expect(holdersOf("CANVASS_MAIL_DIR")).toEqual(["token"]);
  });

  test("only the gateway listens on the public port", () => {
    expect(holdersOf("CANVASS_PORT")).toEqual(["gateway"]);
    expect(settingsOf("gateway")).toMatchObject({ CANVASS_HOST: "127.0.0.1", CANVASS_PORT: "8080" });
  });

  test("programs and migrations are where the table says", () => {
    const paths = PROCESSES.flatMap(({ entry, migrations }) => [entry, ...(migrations ? [migrations] : [])]);
    expect(paths.filter((path) => !existsSync(join(WORKSPACE_ROOT, path)))).toEqual([]);
  });
});
