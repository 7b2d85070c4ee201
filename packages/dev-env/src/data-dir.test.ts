import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { lockDataDir } from "./data-dir-lock.ts";
import { openDataDir } from "./data-dir.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-data-"));
});
afterEach(() => rm(directory, { recursive: true }));

test("a data directory that is a file is refused in one sentence", async () => {
  const path = join(directory, "data");
  await writeFile(path, "");
  await expect(openDataDir(path)).rejects.toThrow(`The data directory ${path} is not a directory; name another`);
});

test(
  "a data directory where nothing can be made is refused in one sentence",
  { skip: process.platform !== "linux", meta: { skipReason: "only Linux has /proc" } },
  async () => {
    await expect(openDataDir("/proc/canvass/data")).rejects.toThrow(
      "The data directory /proc/canvass/data cannot be used",
    );
  },
);

test("a data directory is made with those above it", async () => {
  const { logs } = await openDataDir(join(directory, "a/b/data"));
  await writeFile(join(logs, "x"), "kept");
  await openDataDir(join(directory, "a/b/data"));
  expect(await readFile(join(logs, "x"), "utf8")).toBe("kept");
});

test("a data directory is locked for one launcher at a time", async () => {
  const dataDir = await openDataDir(join(directory, "data"));
  const first = lockDataDir(dataDir);
  expect(() => lockDataDir(dataDir)).toThrow(`already running on this data directory (process ${process.pid})`);
  first[Symbol.dispose]();
  lockDataDir(dataDir)[Symbol.dispose]();
});
