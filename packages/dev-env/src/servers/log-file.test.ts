import { appendFile, mkdtemp, readdir, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { followLogFile, lastLines, openLogFile } from "./log-file.ts";

let directory: string;
let path: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-log-"));
  path = join(directory, "survey.log");
});
afterEach(() => rm(directory, { recursive: true }));

describe("followLogFile", () => {
  test("reports whole new lines, for any writes", async () => {
    await writeFile(path, "old\n");
    const lines: string[] = [];
    await using _ = await followLogFile(path, (line) => lines.push(line));
    const text = Buffer.from("first\nzweite: äöü €\nlast\n");
    for (let start = 0; start < text.length; start += 3) await appendFile(path, text.subarray(start, start + 3));
    await expect.poll(() => lines).toEqual(["first", "zweite: äöü €", "last"]);
  });

  test("follows a file that is created later and rotated, up to its last line", async () => {
    const lines: string[] = [];
    const follower = await followLogFile(path, (line) => lines.push(line));
    await writeFile(path, "a long first line\n");
    await expect.poll(() => lines).toHaveLength(1);
    await rename(path, `${path}.1`);
    await writeFile(path, "fresh\n");
    await expect.poll(() => lines).toHaveLength(2);
    await appendFile(path, "last\n");
    await follower[Symbol.asyncDispose]();
    expect(lines).toEqual(["a long first line", "fresh", "last"]);
  });
});

test("a log in a missing directory is not followed, and no directory is made", async () => {
  await expect(followLogFile(join(directory, "none", "survey.log"), () => {})).rejects.toThrow("ENOENT");
  expect(await readdir(directory)).toEqual([]);
});

test("lastLines gives the end of the log, and nothing of one that does not exist", async () => {
  expect(await lastLines(path, 3)).toEqual([]);
  await writeFile(path, `${"x".repeat(100_000)}\none\ntwo\n\nthree\n`);
  expect(await lastLines(path, 2)).toEqual(["two", "three"]);
});

test("a log that grew large is put aside, once", async () => {
  await writeFile(path, "old\n");
  await truncate(path, 21 * 1024 * 1024);
  const file = await openLogFile(path);
  await file.close();
  expect((await stat(path)).size).toBe(0);
  expect((await stat(`${path}.1`)).size).toBe(21 * 1024 * 1024);
});
