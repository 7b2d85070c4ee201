#!/usr/bin/env node
import { EXIT } from "@canvass/command-line";
import { reasonOf, systemErrorCode } from "@canvass/provisioning/operational-error";
import { runCanvass } from "../run-canvass.ts";

// Process 1 of a container ends only on signals that have a listener. A command's own listener takes precedence.
for (const [name, code] of [
  ["SIGTERM", 143],
  ["SIGINT", 130],
] as const) {
  process.on(name, () => process.listenerCount(name) === 1 && process.exit(code));
}

// A reader such as `head` may leave before the end, and a disk may be full.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    if (systemErrorCode(error) === "EPIPE") process.exit(141);
    if (stream === process.stdout) process.stderr.write(`The output cannot be written (${reasonOf(error)}).\n`);
    process.exit(EXIT.refused);
  });
}

const write = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(text);
process.exitCode = await runCanvass(process.argv.slice(2), process.env, {
  out: write(process.stdout),
  err: write(process.stderr),
  isTerminal: process.stderr.isTTY,
});
