import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

function run(start: string, environment: Record<string, string> = {}, args: string[] = []) {
  const { status, stdout } = runProgram(start, environment, args);
  const lines = stdout.trim().split("\n");
  return { status, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

function runProgram(start: string, environment: Record<string, string>, args: string[]) {
  const program = `
    import { Type } from "typebox";
    import { defineSettings, runProcess } from "${new URL("../src/index.ts", import.meta.url).href}";
    const settings = defineSettings(Type.Object({
      PORT: Type.Integer({ maximum: 9 }),
      KEY: Type.String({ minLength: 4, description: "a key" }),
      MODE: Type.String({ default: "quiet" }),
    }));
    await runProcess("test", settings, async (config) => { ${start} }, 50);`;
  const flags = ["--input-type=module-typescript", "--eval", program, "--", ...args];
  return spawnSync(process.execPath, flags, {
    cwd: import.meta.dirname,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...environment },
  });
}

const whole = { PORT: "3", KEY: "abcd" };

test("a wrong environment ends a process with one line that names every variable at fault, no value and no stack", () => {
  const { status, lines } = run("", { PORT: "10", CANVASS_LOG_LEVEL: "loud" });
  expect(status).toBe(78);
  expect(lines).toEqual([
    expect.objectContaining({ msg: "missing or invalid environment: PORT is not valid; KEY is missing (a key)" }),
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/loud|"10"|stack/);
});

test("another failure to start is logged with its stack", () => {
  const { status, lines } = run(`throw new Error("no luck")`, whole);
  expect(status).toBe(1);
  expect(lines).toEqual([
    expect.objectContaining({ msg: "no luck", err: expect.objectContaining({ stack: expect.any(String) }) }),
  ]);
});

test("a value is converted and an empty variable counts as absent", () => {
  const { lines } = run("throw new Error(JSON.stringify(config))", { ...whole, MODE: "" });
  expect(lines[0]!["msg"]).toBe('{"PORT":3,"KEY":"abcd","MODE":"quiet"}');
});

test.each([
  [whole, 0, ["The settings are complete."]],
  [{ PORT: "10", KEY: "abc" }, 78, ["PORT is not valid", "KEY is not valid (a key)"]],
])("--check-config starts nothing and prints what is wrong with %j", (environment, exitStatus, printed) => {
  const { status, stdout } = runProgram("throw new Error('started')", environment, ["--check-config"]);
  expect(stdout.trim().split("\n")).toEqual(printed);
  expect(status).toBe(exitStatus);
});

test("a process that was asked to stop abandons work that does not end in time", () => {
  const hanging = `
    const open = setInterval(() => {}, 1_000);
    setImmediate(() => process.kill(process.pid, "SIGTERM"));
    return { [Symbol.asyncDispose]: () => new Promise(() => {}) };`;
  const { status, lines } = run(hanging, whole);
  expect(status).toBe(0);
  expect(lines.at(-1)).toMatchObject({ level: "warn", limitMs: 50 });
});
