import { waitFor } from "@canvass/testing";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A terminal of a reader, who pastes one code block after the other. Variables stay. */
export interface Shell extends AsyncDisposable {
  /** Runs a block to its end. Returns its standard output. Throws with all that it printed if it fails. */
  run: (code: string) => Promise<string>;
  /** Starts a block in another terminal. Returns a function that reads what it has printed so far. */
  start: (code: string) => Promise<() => Promise<string>>;
}

export function openShell(folder: string, env: NodeJS.ProcessEnv): Shell {
  const options = ["--norc", "-euo", "pipefail"];
  // A process group of its own, so that all of it can be killed.
  const child = spawn("bash", options, { cwd: folder, env, stdio: ["pipe", "pipe", "ignore"], detached: true });
  const closed = once(child, "close");
  let ended = "";
  let blocks = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => (ended += text));

  async function prepare(code: string) {
    const name = `.block-${(blocks += 1)}`;
    await writeFile(join(folder, name), code);
    // Files for spreadsheets have other line breaks, which a terminal does not show.
    const read = async (file: string) => (await readFile(join(folder, file), "utf8")).replaceAll("\r\n", "\n");
    const printed = () => read(`${name}-printed`);
    const errors = () => read(`${name}-errors`);
    return { name, printed, errors, command: `source ./${name} </dev/null >${name}-printed 2>${name}-errors` };
  }

  return {
    async run(code) {
      const { name, printed, errors, command } = await prepare(code);
      child.stdin.write(`${command}; echo ${name} ended\n`);
      const isDone = () => ended.includes(`${name} ended`) || child.exitCode !== null;
      await waitFor(isDone, { describe: `the end of\n${code}`, timeoutMs: 120_000 });
      if (child.exitCode !== null) throw new Error(`it failed:\n${code}\n${await printed()}${await errors()}`);
      return printed();
    },
    async start(code) {
      const { printed, command } = await prepare(code);
      child.stdin.write(`(${command}) &\n`);
      return () => printed().catch(() => "");
    },
    async [Symbol.asyncDispose]() {
      try {
        process.kill(-child.pid!, "SIGKILL");
      } catch {
        // All of it has ended.
      }
      await closed;
    },
  };
}
