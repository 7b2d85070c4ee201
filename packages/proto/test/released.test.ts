import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");

test("processes of the last release understand the contracts of today, on the wire and as JSON", () => {
  const { status, stdout } = spawnSync("buf", ["breaking", "proto", "--against", "proto/released.binpb"], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env["PATH"]}` },
  });
  expect(stdout).toBe("");
  expect(status).toBe(0);
});
