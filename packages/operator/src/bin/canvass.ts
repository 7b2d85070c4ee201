#!/usr/bin/env node
import { runCanvass } from "../run-canvass.ts";

// Process 1 of a container ends only on signals that have a listener. A command's own listener takes precedence.
for (const [name, code] of [
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const) {
  process.on(name, () => process.listenerCount(name) === 1 && process.exit(code));
}

const write = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(text);
process.exitCode = await runCanvass(process.argv.slice(2), process.env, {
  out: write(process.stdout),
  err: write(process.stderr),
  isTerminal: process.stderr.isTTY,
});
