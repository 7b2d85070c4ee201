import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { appendBody } from "../src/exports/append-body.ts";
import { writeError } from "../src/write-error.ts";

test(
  "appending to a full disk fails with an error that says what to do",
  { skip: process.platform !== "linux", meta: { skipReason: "only Linux has /dev/full" } },
  async () => {
    const written = appendBody(new Response("answers"), "/dev/full", () => undefined);
    await expect(written).rejects.toThrow(
      "/dev/full cannot be written (ENOSPC: no space left on device, write). Make room, and run it again.",
    );
  },
);

test("for any other cause, the error gives the reason and says what is unchanged", () => {
  const { message } = writeError("a.csv", new Error("is a folder"), "nothing was sent");
  expect(message).toBe("a.csv cannot be written (is a folder); nothing was sent.");
});

const limitsFiles = { skip: process.platform === "win32", meta: { skipReason: "Windows has no ulimit" } };

test("creating a database on a full disk leaves no files behind", limitsFiles, async () => {
  const folder = await mkdtemp(join(tmpdir(), "canvass-full-"));
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  const path = join(folder, "lunch.duckdb");
  const script = `
    import { createDatabase } from ${JSON.stringify(import.meta.resolve("../src/sync/create-database.ts"))};
    await createDatabase(${JSON.stringify(path)}, { url: "http://localhost", surveyId: "s" }).catch(({ message }) => console.log(message));`;
  // Limits files to 8 blocks of 512 bytes (4 KiB), so writing the database fails as on a full disk.
  const limited = ["-c", 'ulimit -f 8; exec "$0" "$@"', process.execPath, "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)("sh", limited);
  expect(stdout).toMatch(/lunch\.duckdb cannot be written: make room, and run it again/);
  // The error names the database, not its temporary file.
  expect(stdout).not.toContain(".new cannot");
  expect(await readdir(folder)).toEqual([]);
});
