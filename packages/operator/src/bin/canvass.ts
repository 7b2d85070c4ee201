#!/usr/bin/env node
import { runCanvass } from "../run-canvass.ts";

const write = (stream: NodeJS.WriteStream) => (text: string) => void stream.write(text);
process.exitCode = await runCanvass(process.argv.slice(2), process.env, {
  out: write(process.stdout),
  err: write(process.stderr),
  isTerminal: process.stderr.isTTY,
});
