import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { runOperatorCommand } from "./run-command.ts";
import { COMMANDS } from "./commands.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-operator-"));
});
afterEach(() => rm(directory, { recursive: true }));

const run = (...words: string[]) => runOperatorCommand(words, { CANVASS_DATA_DIR: directory });
const refusal = (...words: string[]) =>
  run(...words).then(
    () => "it went well",
    (error: Error) => error.message,
  );

test("help shows every command, and each command its options", async () => {
  for (const words of [[], ["--help"], ["-h"], ["workspace", "--help"]]) {
    const shown = await run(...words);
    for (const command of Object.keys(COMMANDS))
      expect(shown).toContain(`  ${command} --workspace`.slice(0, command.length + 2));
  }
  for (const [words, { options }] of Object.entries(COMMANDS)) {
    const shown = await run(...words.split(" "), "--help");
    expect(shown).toContain(`Usage: pnpm canvass ${words} --`);
    for (const option of [...Object.keys(options), "json", "token-service"]) expect(shown).toContain(`--${option}`);
  }
});

test.each([
  [["workspace"], 'There is no command "workspace"; pnpm canvass --help lists them all.'],
  [["workspace", "delete"], 'There is no command "workspace delete"; pnpm canvass --help lists them all.'],
  [["constructor"], 'There is no command "constructor"; pnpm canvass --help lists them all.'],
  [["--colour"], 'There is no command "--colour"; pnpm canvass --help lists them all.'],
  [["audit", "list"], "--workspace is missing; see pnpm canvass audit list --help."],
  [
    ["person", "add", "--workspace", "w", "--role", "owner"],
    "--name, --email are missing; see pnpm canvass person add --help.",
  ],
  [["audit", "list", "--colour"], "Unknown option '--colour'; see pnpm canvass audit list --help."],
  [
    ["audit", "list", "--workspace"],
    "Option '--workspace <value>' argument missing; see pnpm canvass audit list --help.",
  ],
  [["audit", "list", "w"], "Unexpected argument 'w'; see pnpm canvass audit list --help."],
  [["token", "issue", "--test=yes"], "Option '--test' does not take an argument; see pnpm canvass token issue --help."],
  [
    ["audit", "list", "--workspace", "w", "--token-service", "localhost"],
    '--token-service is "localhost", but it is an address such as http://127.0.0.1:20001.',
  ],
])("%j is refused in one line", async (words, message) => {
  expect(await refusal(...words)).toBe(message);
});

test("where no system runs it says so, and leaves nothing behind", async () => {
  expect(await refusal("audit", "list", "--workspace", "x")).toContain(`No system runs on ${directory}`);
  const remote = ["audit", "list", "--workspace", "x", "--token-service", "http://127.0.0.1:1"];
  expect(await refusal(...remote)).toContain("set CANVASS_OPERATOR_KEY");
  expect(await readdir(directory)).toEqual([]);
});

test("a service that is not there is named", async () => {
  const words = ["audit", "list", "--workspace", "x", "--token-service", "http://127.0.0.1:1"];
  const attempt = runOperatorCommand(words, { CANVASS_DATA_DIR: directory, CANVASS_OPERATOR_KEY: "k".repeat(40) });
  await expect(attempt).rejects.toThrow("The token service at http://127.0.0.1:1 can not be reached.");
});

test("TLS files that can not be used are named, and distrust is told from nothing worse", async () => {
  const env = { CANVASS_DATA_DIR: directory, CANVASS_OPERATOR_KEY: "k".repeat(40) };
  const attempt = (url: string, files: Record<string, string> = {}) =>
    runOperatorCommand(["audit", "list", "--workspace", "x", "--token-service", url], { ...env, ...files });
  await expect(attempt("https://localhost:1", { CANVASS_TLS_CA_FILE: "/nowhere" })).rejects.toThrow(
    "CANVASS_TLS_CA_FILE names a file that can not be read (ENOENT).",
  );
  await expect(attempt("https://127.0.0.1:1")).rejects.toThrow(
    "The token service can not be called: https://127.0.0.1:1 has no host name",
  );
  await expect(attempt("https://localhost:1")).rejects.toThrow("or one side does not trust the other's certificate");
});
