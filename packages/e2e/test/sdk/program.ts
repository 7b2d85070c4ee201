import { waitFor } from "@canvass/testing";
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Program {
  output: () => string;
  /** Waits for this output. */
  until: (output: RegExp) => Promise<string[]>;
  /** Waits for its end. Throws, with what it wrote, unless the code is 0. */
  ended: () => Promise<string>;
  /** Asks it to end, and waits. */
  stop: () => Promise<unknown>;
}

/** Starts a program of Node.js. */
export function startProgram(
  node: string,
  args: string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Program {
  const child = spawn(node, args, {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const closed = once(child, "close") as Promise<[code: number | null]>;
  return {
    output: () => output,
    until: (wanted) =>
      waitFor(() => wanted.exec(output), { describe: `${args.join(" ")} to write ${wanted}, beside ${errors}` }),
    async ended() {
      const [code] = await closed;
      if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${output}${errors}`);
      return output;
    },
    async stop() {
      child.kill("SIGTERM");
      return closed;
    },
  };
}
