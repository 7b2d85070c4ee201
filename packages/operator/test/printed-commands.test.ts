import { execFile } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PROCESSES, WORKSPACE_ROOT } from "@canvass/processes";
import { generateIdentity, identityToRecipient } from "age-encryption";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCommandProgram } from "@canvass/command-line";
import { COMMANDS } from "../src/commands/index.ts";
import { AUDIENCES, TEXT } from "../src/run-canvass.ts";
import { canvassWords, printedCode, shellWords } from "./printed/printed-code.ts";

const run = promisify(execFile);
const pages = printedCode();
const everything = pages.flatMap(({ page, lines, spans }) => [...lines, ...spans].map((code) => [page, code] as const));

/** Parses a command line as `canvass` does; throws with all its faults. */
async function parseCommand(words: readonly string[]): Promise<{ command: string; options: Record<string, unknown> }> {
  let found: { command: string; options: Record<string, unknown> } | undefined;
  const program = createCommandProgram(
    TEXT,
    AUDIENCES,
    async ({ words: named }, _run, options) => void (found = { command: named.join(" "), options }),
    { out: () => {}, err: () => {} },
  );
  await program.parseAsync([...words], { from: "user" });
  return found!;
}

describe("commands of canvass in the pages for operators", () => {
  const whole = pages.flatMap(({ page, lines }) =>
    lines.flatMap((line) => {
      const words = canvassWords(line);
      return words ? [{ page, line, words }] : [];
    }),
  );

  let recipient: string;
  beforeAll(async () => {
    recipient = await identityToRecipient(await generateIdentity());
  });

  test.each(whole)("$page: $line is a right command line", async ({ words }) => {
    // What the shell fills in is tried below.
    const filled = words.map((word) => {
      if (word === "age1…") return recipient;
      return word.includes("${") ? "gateway=http://127.0.0.1:19091" : word;
    });
    expect(filled.join(" ").startsWith((await parseCommand(filled)).command)).toBe(true);
  });

  test("those in sentences name a command and options that it has", () => {
    const spans = pages.flatMap(({ page, spans }) => spans.map((span) => ({ page, span, words: canvassWords(span) })));
    const named = spans.filter(({ words }) => words !== undefined);
    expect(named.length).toBeGreaterThan(20);
    for (const { page, span, words } of named) {
      const command = COMMANDS.find((each) => each.words.every((word, index) => words![index] === word));
      expect([page, span, command?.words]).toEqual([page, span, expect.anything()]);
      const flags = Object.keys(command!.options).map(
        (name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      );
      const used = words!.filter((word) => word.startsWith("--"));
      expect([...flags, "--json", "--token-service"], `${page}: ${span}`).toEqual(expect.arrayContaining(used));
    }
  });
});

describe("commands that run inside our images", () => {
  const ours = PROCESSES.map(({ name }) => name).join("|");
  const inside = everything.flatMap(([page, code]) => {
    const [, kubernetes] = /\bkubectl exec (?!-it postgres-1 ).*? -- (.+)$/.exec(code) ?? [];
    const [, compose] = new RegExp(`\\bdocker compose .*\\bexec (?:-T )?(?:${ours}|<service>) (.+)$`).exec(code) ?? [];
    const command = kubernetes ?? compose;
    return command === undefined ? [] : [{ page, code, command }];
  });

  test("are run by Node only: there is no shell and no other program", () => {
    expect(inside.length).toBeGreaterThan(3);
    for (const { page, code, command } of inside) {
      expect(command.split(" ")[0], `${page}: ${code}`).toBe("/usr/local/bin/node");
    }
    for (const [page, code] of everything) {
      // kubectl cp needs tar; a process of a container is no process of the machine; nobody but the machine itself answers curl.
      expect([page, code]).not.toEqual([
        page,
        expect.stringMatching(/^kubectl cp |^kill -[A-Z\d]|^kubectl exec .* sh\b/),
      ]);
      expect([page, code]).not.toEqual([
        page,
        expect.stringMatching(/\bcurl (?!.*(127\.0\.0\.1|localhost|https:\/\/))/),
      ]);
    }
  });

  test("do what their page says", async () => {
    const server = createServer((_request, response) => response.end('{"status":"ok"}')).listen(0, "127.0.0.1");
    await once(server, "listening");
    await using _ = { [Symbol.asyncDispose]: async () => void server.close() };
    const { port } = server.address() as AddressInfo;
    const file = join(import.meta.dirname, "signals.test.ts");
    const outputs: string[] = [];
    for (const { command } of inside) {
      const [, script] = / -e '([^']*)'/.exec(command) ?? [];
      if (script === undefined) continue;
      const here = script
        .replace(":9090", `:${port}`)
        .replace('(9000, "survey"', `(${port}, "127.0.0.1"`)
        .replace("/tmp/loop.cpuprofile", file);
      outputs.push((await run(process.execPath, ["-e", here])).stdout);
    }
    expect(outputs).toEqual(['200 {"status":"ok"}\n', "reached\n", await readFile(file, "utf8")]);
  });
});

test("labels in kubectl commands are those of the manifests", () => {
  const manifests = globSync("deploy/kubernetes/**/*.yaml", { cwd: WORKSPACE_ROOT });
  const text = manifests.map((path) => readFileSync(join(WORKSPACE_ROOT, path), "utf8")).join("\n");
  const asked = everything.flatMap(
    ([, code]) => (code.includes("kubectl") ? code.match(/[\w.-]+\/[\w.-]+(?=[=!, ]|$)/g) : null) ?? [],
  );
  const labels = asked.filter((name) => name.startsWith("app.kubernetes.io/"));
  expect(labels.length).toBeGreaterThan(5);
  for (const label of labels) expect(text).toContain(`${label}: `);
});

describe("the script that examines a cluster", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "canvass-doctor-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("forwards a port of each pod, calls each by its service's name, and ends the forwards", async () => {
    const programs = {
      kubectl: `case $1 in
        get) printf 'pod/gateway-5d9c7b-x1\\npod/survey-66f-a\\npod/survey-66f-b\\n' ;;
        port-forward) echo "$2 $3" >>"$FORWARDED"; exec tail -f /dev/null ;;
      esac`,
      npx: 'shift 2; printf "%s\\n" "$@"',
      // Ends once all forwards have begun.
      sleep: 'until [ "$(cat "$FORWARDED" 2>/dev/null | wc -l)" -eq 3 ]; do :; done',
    };
    for (const [name, body] of Object.entries(programs)) {
      await writeFile(join(folder, name), `#!/bin/bash\n${body}\n`);
      await chmod(join(folder, name), 0o755);
    }
    const readme = readFileSync(join(WORKSPACE_ROOT, "deploy/README.md"), "utf8");
    const script = /```sh\n(ops=[\s\S]*?)```/.exec(readme)![1]!;
    const forwarded = join(folder, "forwarded");
    const env = { PATH: `${folder}:${process.env["PATH"]}`, FORWARDED: forwarded };
    // It returns when no forwarding has its outputs open any more.
    const { stdout } = await run("bash", ["-c", script], { env });
    const [program, ...words] = stdout.trim().split("\n");
    expect(program).toBe("canvass");
    const [gateway, first, second] = [19_091, 19_092, 19_093].map((port) => `http://127.0.0.1:${port}`);
    const ops = `gateway=${gateway},survey=${first},survey=${second}`;
    expect(await parseCommand(words)).toMatchObject({ command: "doctor", options: { ops } });
    const lines = (await readFile(forwarded, "utf8")).trim().split("\n");
    expect(lines.toSorted()).toEqual([
      "pod/gateway-5d9c7b-x1 19091:9090",
      "pod/survey-66f-a 19092:9090",
      "pod/survey-66f-b 19093:9090",
    ]);
  });
});

test("a line is split into arguments like in a shell", () => {
  expect(shellWords(`a "b c" <an id> --d='e f' # g`)).toEqual(["a", "b c", "<an id>", "--d=e f"]);
});
