#!/usr/bin/env node
import { runCanvass } from "../run-canvass.ts";

// Node as process 1 of a container is ended only by signals that it listens to. A command that listens itself comes first.
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
