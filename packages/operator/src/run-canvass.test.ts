import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { callers } from "@canvass/cli";
import { COMMANDS } from "./commands/index.ts";
import { runCanvass } from "./run-canvass.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "canvass-operator-"));
});
afterEach(() => rm(directory, { recursive: true }));

type Run = { code: number; out: string; err: string };

async function run(words: string[], env: Record<string, string> = {}): Promise<Run> {
  const run = { code: 0, out: "", err: "" };
  const output = { out: (text: string) => (run.out += text), err: (text: string) => (run.err += text) };
  run.code = await runCanvass(words, { CANVASS_DATA_DIR: directory, ...env }, output);
  return run;
}
const lines = [...COMMANDS, ...callers.commands].map(({ words }) => words.join(" "));

test.each([[[]], [["--help"]], [["-h"]], [["help"]]])("%j shows every command", async (words) => {
  const { code, out, err } = await run(words);
  expect([code, err]).toEqual([0, ""]);
  for (const line of [...lines, "completion"]) expect(out).toMatch(new RegExp(`^  ${line} `, "m"));
});

test.each(COMMANDS)(
  "the help of $words has its options and an example that is a right command line",
  async (command) => {
    const { code, out } = await run([...command.words, "--help"]);
    expect(code).toBe(0);
    expect(out).toContain(`Usage: canvass ${command.words.join(" ")} [options]`);
    for (const [name, { required, placeholder }] of Object.entries(command.options)) {
      const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      expect(out).toContain(placeholder ? `${flag} <${placeholder}>` : flag);
      if (required) expect(command.example).toContain(`${flag} `);
    }
    const needsOptions = Object.values(command.options).some(({ required }) => required);
    const shown = ["--json", "--token-service <url>", ...(needsOptions ? ["(required)"] : [])];
    for (const flag of shown) expect(out).toContain(flag);
    expect(out).toContain(`Example:\n  canvass ${command.example}`);
    const words = command.example.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ""));
    if (command.words[0] === "installation" || command.words[1] === "key") {
      // These commands need no running system.
      const inside = words.map((word, index) =>
        ["--directory", "--out"].includes(words[index - 1]!) ? join(directory, word) : word,
      );
      expect((await run(inside)).code).not.toBe(2);
      return;
    }
    // The command line is correct, but no system runs here.
    expect(await run(words)).toMatchObject({ code: 3, err: expect.stringContaining("No system runs") });
  },
);

test.each([
  [["workspace", "delete"], "unknown command 'delete'; see canvass --help."],
  [["worksapce"], "unknown command 'worksapce' (Did you mean workspace?); see canvass --help."],
  [["constructor"], "unknown command 'constructor'; see canvass --help."],
  [["audit", "list"], "required option '--workspace <id>' not specified; see canvass audit list --help."],
  [
    ["person", "add", "--workspace", "w", "--role", "owner", "--nmae", "x"],
    "required option '--name <name>' not specified; required option '--email <email>' not specified; unknown option '--nmae' (Did you mean --name?); see canvass person add --help.",
  ],
  [
    ["audit", "list", "--limit", "0", "--colour", "--size=3", "--token-service", "localhost"],
    "--limit is \"0\", but it is a number from 1 to 100; --token-service is \"localhost\", but it is an address such as http://127.0.0.1:20001; required option '--workspace <id>' not specified; unknown option '--colour'; unknown option '--size=3'; see canvass audit list --help.",
  ],
  [["audit", "list", "--workspace"], "option '--workspace <id>' argument missing; see canvass audit list --help."],
  [
    ["audit", "list", "w"],
    "required option '--workspace <id>' not specified; too many arguments for 'list'. Expected 0 arguments but got 1: w; see canvass audit list --help.",
  ],
  [["help", "nope"], "unknown command 'nope'; see canvass --help."],
  [["help", "token", "nope"], "unknown command 'nope'; see canvass --help."],
  [["token", "nope", "--help"], "unknown command 'nope'; see canvass --help."],
  [
    ["audit", "list", "--workspace", "v", "--json", "--limit", "1", "--workspace", "w", "--json", "--limit", "x"],
    '--json is given more than once; --workspace is given more than once; --limit is "x", but it is a number from 1 to 100; --limit is given more than once; see canvass audit list --help.',
  ],
  [
    ["audit", "list", "--workspace", "w", "--token-service", "http://u:sec '@ret@127.0.0.1:1"],
    '--token-service is "…@127.0.0.1:1", but it may hold no user name or password; see canvass audit list --help.',
  ],
  [
    ["audit", "list", "--workspace", "w", "--service=http://u:secret@127.0.0.1:1"],
    "unknown option '--service=http://…@127.0.0.1:1'; see canvass audit list --help.",
  ],
])("%j is refused in one line that has every fault", async (words, message) => {
  expect(await run(words)).toEqual({ code: 2, out: "", err: `${message}\n` });
});

test.each([
  ["help", "token", "issue"],
  ["token", "help", "issue"],
])("%s %s %s shows that command's help", async (...words) => {
  const help = await run(["token", "issue", "--help"]);
  expect(await run(words)).toEqual(help);
});

test("half a command shows what could follow", async () => {
  expect(await run(["workspace"])).toMatchObject({ code: 2, out: "", err: expect.stringContaining("set-plan") });
  expect(await run(["--colour"])).toMatchObject({ code: 2, err: expect.stringContaining("unknown option '--colour'") });
});

test("without a running system it fails and leaves no files", async () => {
  const words = ["audit", "list", "--workspace", "x"];
  expect(await run(words)).toMatchObject({ code: 3, err: expect.stringContaining(`No system runs on ${directory}`) });
  const remote = await run([...words, "--token-service", "http://127.0.0.1:1"]);
  expect(remote).toMatchObject({ code: 1, err: expect.stringContaining("set CANVASS_OPERATOR_KEY") });
  expect(await readdir(directory)).toEqual([]);
});

test.each([
  ["http://127.0.0.1:1", {}, 3, "The token service at http://127.0.0.1:1 cannot be reached."],
  ["https://localhost:1", {}, 3, "or one side does not trust the other's certificate"],
  ["https://localhost:1", { CANVASS_TLS_CA_FILE: "/nowhere" }, 1, "CANVASS_TLS_CA_FILE names a file that cannot be"],
  ["https://127.0.0.1:1", {}, 1, "The token service cannot be called: https://127.0.0.1:1 has no host name"],
])("a token service at %s with %j is not reached", async (url, files, code, message) => {
  const env = { CANVASS_OPERATOR_KEY: "k".repeat(40), ...files };
  const printed = await run(["audit", "list", "--workspace", "x", "--token-service", url], env);
  expect(printed).toMatchObject({ code, err: expect.stringContaining(message) });
});

test.each([
  ['{"token": "secret" ', "not valid JSON"],
  ['{"processes": 5}', "it lists no processes"],
  ["null", "it lists no processes"],
])("a local.json with %s is refused in one line", async (content, reason) => {
  const path = join(directory, "local.json");
  await writeFile(path, content);
  const { code, err } = await run(["audit", "list", "--workspace", "x"]);
  expect([code, err.trim().split("\n")]).toEqual([3, [expect.stringContaining(`${path} cannot be read (${reason})`)]]);
  expect(err).not.toContain("secret");
});

test("a file as data directory is refused in one line", async () => {
  const file = join(directory, "file");
  await writeFile(file, "");
  const { code, err } = await run(["audit", "list", "--workspace", "x"], { CANVASS_DATA_DIR: file });
  expect([code, err.trim().split("\n")]).toEqual([3, [expect.stringContaining(`not a directory`)]]);
});

test("another service at the URL is distinguished from the token service", async () => {
  const other = createServer((_request, response) => response.writeHead(404).end()).listen(0, "127.0.0.1");
  await once(other, "listening");
  await using _ = { [Symbol.asyncDispose]: async () => void other.close() };
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const env = { CANVASS_OPERATOR_KEY: "k".repeat(40) };
  expect(await run(["audit", "list", "--workspace", "x", "--token-service", url], env)).toEqual({
    code: 3,
    out: "",
    err: `What answers at ${url} is another service, not this version's token service.\n`,
  });
});
