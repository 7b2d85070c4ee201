import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { appendBody } from "../src/exports/append-body.ts";
import { notWritten } from "../src/not-written.ts";

test.skipIf(process.platform !== "linux")("a full disk is told with what to do", async () => {
  const written = appendBody(new Response("answers"), "/dev/full", () => undefined);
  await expect(written).rejects.toThrow(
    "/dev/full cannot be written (ENOSPC: no space left on device, write). Make room, and run it again.",
  );
});

test("any other reason is told, and what is as it was", () => {
  const { message } = notWritten("a.csv", new Error("is a folder"), "nothing was sent");
  expect(message).toBe("a.csv cannot be written (is a folder); nothing was sent.");
});

test.skipIf(process.platform === "win32")("a database that has no room leaves nothing behind", async () => {
  const folder = await mkdtemp(join(tmpdir(), "canvass-full-"));
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  const path = join(folder, "lunch.duckdb");
  const script = `
    import { createDatabase } from ${JSON.stringify(import.meta.resolve("../src/sync/create-database.ts"))};
    await createDatabase(${JSON.stringify(path)}, { url: "http://localhost", surveyId: "s" }).catch(({ message }) => console.log(message));`;
  // No file may have more than 4 KiB, so a database fails where a full disk would let it fail.
  const limited = ["-c", 'ulimit -f 8; exec "$0" "$@"', process.execPath, "--input-type=module", "-e", script];
  const { stdout } = await promisify(execFile)("sh", limited);
  expect(stdout).toMatch(/lunch\.duckdb cannot be written: make room, and run it again/);
  expect(stdout).not.toContain(".new cannot");
  expect(await readdir(folder)).toEqual([]);
});
