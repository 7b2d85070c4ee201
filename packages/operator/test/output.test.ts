import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCanvass } from "../src/index.ts";
import { TEXT } from "../src/run-canvass.ts";

const PROGRAM = join(import.meta.dirname, "../src/bin/canvass.ts");
const hostile = "\u001b]0;x\u0007 \u009b31m \u202Etxt.exe\nid                    forged";
const meta = { timestamp: "2026-11-26T00:00:00.000Z", version: "1.0", requestId: "r", etag: '"e"' };

const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ success: true, data: { id: "s1", name: hostile }, meta }));
});
beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => void server.close());

async function show(...words: string[]): Promise<string> {
  let printed = "";
  const { port } = server.address() as AddressInfo;
  const env = { CANVASS_URL: `http://127.0.0.1:${port}`, CANVASS_TOKEN: "cvs_live_x" };
  const output = { out: (text: string) => (printed += text), err: (text: string) => (printed += text) };
  expect(await runCanvass(["surveys", "show", "s1", ...words], env, output)).toBe(0);
  return printed;
}

test("a name neither controls the terminal, nor reorders its text, nor adds properties", async () => {
  const shown = await show();
  expect(shown).not.toMatch(/(?!\n)\p{Cc}|\u202E/u);
  expect(shown.match(/^id/gm)).toHaveLength(1);
});

test("--json keeps every character, and shows none that controls the terminal", async () => {
  const shown = await show("--json");
  expect(JSON.parse(shown)).toMatchObject({ name: hostile });
  expect(shown).not.toMatch(/(?!\n)\p{Cc}|\u202E/u);
});

test("a reader that leaves ends the program without a word", async () => {
  const child = spawn(process.execPath, [PROGRAM, "--help"]);
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  child.stdout.destroy();
  expect(await once(child, "close")).toEqual([141, null]);
  expect(complaint).toBe("");
  expect(TEXT.epilogue).toContain("141");
});

const onFullDisk = { skip: !existsSync("/dev/full"), meta: { skipReason: "only Linux has /dev/full" } };

test("that the disk is full is told in a sentence", onFullDisk, async () => {
  const command = '"$0" "$1" --help > /dev/full';
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile("/bin/sh", ["-c", command, process.execPath, PROGRAM], (error, _out, told) =>
      resolve({ code: error?.code, stderr: told }),
    );
  });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^The output cannot be written \(ENOSPC.*\)\.\n$/)]);
});
