import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

function run(start: string, environment: Record<string, string> = {}) {
  const program = `
    import { Type } from "typebox";
    import { readConfig, runProcess } from "${new URL("index.ts", import.meta.url).href}";
    const schema = Type.Object({ PORT: Type.Integer({ maximum: 9 }), KEY: Type.String({ minLength: 4, description: "a key" }) });
    await runProcess("test", async () => { ${start} });`;
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module-typescript", "--eval", program], {
    cwd: import.meta.dirname,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...environment },
  });
  return {
    status,
    lines: stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

test("a wrong environment ends a process with one line that names every variable at fault, no value and no stack", () => {
  const { status, lines } = run("readConfig(schema, process.env)", { PORT: "10", KEY: "abc" });
  expect(status).toBe(78);
  expect(lines).toEqual([expect.objectContaining({ msg: "missing or invalid environment: PORT; KEY (a key)" })]);
  expect(JSON.stringify(lines)).not.toMatch(/abc|"10"|stack/);
});

test("another failure to start is logged with its stack", () => {
  const { status, lines } = run(`throw new Error("no luck")`);
  expect(status).toBe(1);
  expect(lines).toEqual([
    expect.objectContaining({ msg: "no luck", err: expect.objectContaining({ stack: expect.any(String) }) }),
  ]);
});

test("a value is converted and an empty variable counts as absent", () => {
  const { lines } = run(
    `throw new Error(JSON.stringify(readConfig(Type.Object({ PORT: schema.properties.PORT, X: Type.String({ default: "d" }) }), process.env)))`,
    { PORT: "3", X: "" },
  );
  expect(lines[0]!["msg"]).toBe('{"PORT":3,"X":"d"}');
});
