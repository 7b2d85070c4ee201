import { describe, expect, test } from "vitest";

import { machineEnvironment, readLaunchConfig } from "./config.ts";

describe("readLaunchConfig", () => {
  test("has a default for everything; empty means absent", () => {
    const expected = { dataDir: ".canvass", port: 8080, databaseUrl: undefined, natsUrl: undefined, env: {} };
    expect(readLaunchConfig({})).toEqual({ ...expected, shownLevel: "warn" });
    const empty = { CANVASS_PORT: "", CANVASS_DATA_DIR: "", DATABASE_URL: "", NATS_URL: "", CANVASS_RATE_LIMITS: "" };
    expect(readLaunchConfig(empty)).toEqual({ ...expected, shownLevel: "warn" });
  });

  test("hands Canvass' settings on to the processes, and nothing of the launcher's or the terminal's", () => {
    const env = {
      CANVASS_PORT: "0",
      CANVASS_DATA_DIR: "/tmp/x",
      CANVASS_RATE_LIMITS: "off",
      CANVASS_WEBHOOK_PORTS: "443,8443",
      AWS_SECRET_ACCESS_KEY: "x",
      DATABASE_URL: "postgresql://db",
    };
    expect(readLaunchConfig(env).env).toEqual({ CANVASS_RATE_LIMITS: "off", CANVASS_WEBHOOK_PORTS: "443,8443" });
    expect(machineEnvironment({ ...env, PATH: "/bin" })).toEqual({ PATH: "/bin" });
  });

  test.each(["-1", "65536", "80a", "8080.5", "0x50", "123456"])("refuses the port %s", (port) => {
    expect(() => readLaunchConfig({ CANVASS_PORT: port })).toThrow(`CANVASS_PORT is "${port}"`);
  });

  test("refuses an unknown log level, also one that objects inherit", () => {
    expect(() => readLaunchConfig({ CANVASS_LOG_LEVEL: "loud" })).toThrow("it is one of trace, debug");
    expect(() => readLaunchConfig({ CANVASS_LOG_LEVEL: "toString" })).toThrow("it is one of");
  });
});
