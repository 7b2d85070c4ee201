import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtempDisposable, readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { holdLock } from "../src/hold-lock.ts";
import { keepProfile, readProfiles } from "../src/profiles/profiles.ts";
import { writePrivateFile } from "../src/profiles/private-file.ts";

const run = promisify(execFile);
const temporaryFolder = () => mkdtempDisposable(join(tmpdir(), "canvass-private-"));
const profile = { url: "http://localhost:1", token: "cvs_live_x" };

test("logins at once keep every profile", async () => {
  await using folder = await temporaryFolder();
  const names = ["a", "b", "c", "d"];
  const module = join(import.meta.dirname, "../src/profiles/profiles.ts");
  const program = `const { keepProfile } = await import(${JSON.stringify(module)});
    for (let time = 0; time < 20; time++) await keepProfile(process.env, process.argv[1] + time, ${JSON.stringify(profile)});`;
  const env = { ...process.env, XDG_CONFIG_HOME: folder.path };
  await Promise.all(names.map((name) => run(process.execPath, ["--input-type=module", "-e", program, name], { env })));
  const expected = names.flatMap((name) => Array.from({ length: 20 }, (_, time) => name + time));
  expect(Object.keys(await readProfiles(env)).toSorted()).toEqual(expected.toSorted());
});

test("a failed write leaves no other files, in folders that only the owner can read", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "new/canvass/profiles.json");
  await mkdir(path, { recursive: true });
  await expect(writePrivateFile(path, {})).rejects.toThrow(`${path} cannot be written (EISDIR`);
  expect(await readdir(join(path, ".."))).toEqual(["profiles.json"]);
  await keepProfile({ XDG_CONFIG_HOME: join(folder.path, "deep/er") }, "default", profile);
  expect((await stat(join(folder.path, "deep/er"))).mode & 0o777).toBe(0o700);
});

const belowProc = { skip: !existsSync("/proc/1"), meta: { skipReason: "only Linux has /proc" } };

test("below /proc, where no folder can be made, it ends with a sentence", belowProc, async () => {
  const env = { XDG_CONFIG_HOME: "/proc/1/x" };
  await expect(keepProfile(env, "default", profile)).rejects.toThrow("/proc/1/x/canvass");
  await expect(writePrivateFile("/proc/1/x/canvass/y", {})).rejects.toThrow("cannot be written (ENOENT");
  expect(() => holdLock("/proc/1/x/y.lock", "")).toThrow("cannot be used (ENOENT");
});
