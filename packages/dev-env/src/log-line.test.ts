import { describe, expect, test } from "vitest";

import { createLogFormat } from "./log-line.ts";
import type { LogLevel } from "./log-line.ts";

const shown = (line: string, threshold: LogLevel = "info") => createLogFormat(threshold, false)("survey", line);

describe("createLogFormat", () => {
  test("shows level, process, message and the other fields", () => {
    const line = JSON.stringify({ level: "warn", time: "2026-01-02T03:04:05Z", service: "x", msg: "slow", ms: 12 });
    expect(shown(line)).toMatch(/^\[\d\d:\d\d:05\] WARN: survey: slow \{"ms":12\}$/);
  });

  test("shows what went wrong in one line, without the stack and what Prisma was doing", () => {
    const message = "\nInvalid `prisma.survey.findMany()` invocation:\n\n\nCan't reach database server";
    const line = JSON.stringify({
      level: "warn",
      msg: "away",
      requestId: "r",
      err: { message, stack: "Error: m\n at f" },
    });
    expect(shown(line)).toMatch(/^\S* ?WARN: survey: away \(Can't reach database server\) \{"requestId":"r"\}$/);
  });

  test("removes everything that moves the cursor or starts a line", () => {
    const text = "a\u001B[2Jb\nc\u009Bd\re";
    const line = JSON.stringify({ level: "warn", msg: text, field: text, err: { message: text } });
    for (const out of [shown(line), shown(text)]) expect(out).not.toMatch(/\p{Cc}/u);
  });

  test("shows how often a cause came again", () => {
    const line = JSON.stringify({ level: "warn", msg: "away", cause: "b", repeats: 93, seconds: 10 });
    expect(shown(line)).toBe('WARN: survey: away (b) {"repeats":93,"seconds":10}');
  });

  test("leaves out what lies below the threshold, whether pino wrote numbers or names", () => {
    expect(shown(JSON.stringify({ level: "info", msg: "hello" }), "warn")).toBeUndefined();
    expect(shown(JSON.stringify({ level: 30, msg: "hello" }), "warn")).toBeUndefined();
    expect(shown(JSON.stringify({ level: "fatal", msg: "hello" }), "fatal")).toContain("hello");
    expect(shown(JSON.stringify({ level: "fatal", msg: "hello" }), "silent")).toBeUndefined();
  });

  test("shows anything but JSON unchanged", () => {
    expect(shown("SyntaxError: bad", "warn")).toBe("survey: SyntaxError: bad");
    expect(shown("{ not json", "warn")).toBe("survey: { not json");
    expect(shown("plain", "silent")).toBeUndefined();
  });
});
