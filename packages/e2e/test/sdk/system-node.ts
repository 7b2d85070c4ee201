import { execFileSync } from "node:child_process";

/** A Node.js 20 or newer that this machine has besides ours, else ours. */
export function systemNode(): string {
  const major = (node: string): number => {
    try {
      return Number(/^v(\d+)/.exec(execFileSync(node, ["--version"], { encoding: "utf8" }))?.[1]);
    } catch {
      return 0;
    }
  };
  return ["/usr/bin/node", "/usr/local/bin/node"].find((node) => major(node) >= 20) ?? process.execPath;
}
