#!/usr/bin/env node
// Usage, in a service's folder: canvass-generate-client. Writes gen/schema.prisma and generates gen/prisma from it.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { composeSchema } from "../migrations/compose-schema.ts";
import { unpackCompiler } from "../migrations/unpack-compiler.ts";

mkdirSync("gen", { recursive: true });
writeFileSync("gen/schema.prisma", await composeSchema(process.cwd()));
const prisma = createRequire(import.meta.url).resolve("prisma/build/index.js");
const environment = {
  ...process.env,
  // Generating needs no schema engine, but the command downloads one unless given a file; any file works.
  PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  PRISMA_HIDE_UPDATE_MESSAGE: "1",
  CHECKPOINT_DISABLE: "1",
};
const words = [prisma, "generate", "--no-hints", "--schema", "gen/schema.prisma"];
const { status, stdout, stderr } = spawnSync(process.execPath, words, { env: environment, encoding: "utf8" });
if (status !== 0) process.stderr.write(`${stdout}${stderr}`);
else await unpackCompiler("gen/prisma", process.cwd());
process.exitCode = status ?? 1;
