import { describe, expect, test } from "vitest";

import { createLogFormat } from "./log-line.ts";
import type { LogLevel } from "./log-line.ts";

const shown = (line: string, threshold: LogLevel = "info") => createLogFormat(threshold, false)("survey", line);

describe("createLogFormat", () => {
  test("shows level, process, message and the other fields", () => {
    const line = JSON.stringify({ level: "warn", time: "2026-01-02T03:04:05Z", service: "x", msg: "slow", ms: 12 });
    expect(shown(line)).toMatch(/^\[\d\d:\d\d:05\] WARN: survey: slow \{"ms":12\}$/);
  });

  test("shows an error's stack", () => {
    const line = JSON.stringify({ level: "error", msg: "failed", err: { message: "m", stack: "Error: m\n at f" } });
    expect(shown(line)).toMatch(/failed[^]* at f/);
  });

  test("leaves out what lies below the threshold, whether pino wrote numbers or names", () => {
    expect(shown(JSON.stringify({ level: "info", msg: "hello" }), "warn")).toBeUndefined();
    expect(shown(JSON.stringify({ level: 30, msg: "hello" }), "warn")).toBeUndefined();
    expect(shown(JSON.stringify({ level: "fatal", msg: "hello" }), "fatal")).toContain("hello");
    expect(shown(JSON.stringify({ level: "fatal", msg: "hello" }), "silent")).toBeUndefined();
  });

  test("shows what is not JSON as it stands", () => {
    expect(shown("SyntaxError: bad", "warn")).toBe("survey: SyntaxError: bad");
    expect(shown("{ not json", "warn")).toBe("survey: { not json");
    expect(shown("plain", "silent")).toBeUndefined();
  });
});
