import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import type { Server } from "node:net";

import { readJson, writePrivateJson } from "@canvass/provisioning";
import { OperationalError, systemErrorCode } from "@canvass/provisioning/operational-error";

const LOOPBACK = "127.0.0.1";
// Below the ports of outgoing connections, which could otherwise take one during a restart.
const LOWEST = 20_000;
const HIGHEST = 32_000;
const BLOCK_SIZE = 32;

export type ReservedPorts = AsyncDisposable & { ports: Record<string, number> };

/** Reserves loopback ports, equal at each start while free, by listening on the first port of their block. */
export async function reservePorts(path: string, names: readonly string[]): Promise<ReservedPorts> {
  if (names.length >= BLOCK_SIZE) throw new Error(`a block has ${BLOCK_SIZE - 1} ports, not ${names.length}`);
  const stored = await readJson(path).catch(() => undefined);
  for (let attempts = 0; attempts < 200; attempts++) {
    const block = (attempts === 0 ? storedBlock(stored) : undefined) ?? randomBlock();
    const guard = await claimBlock(block, names.length);
    if (guard === undefined) continue;
    await writePrivateJson(path, { block });
    const ports = Object.fromEntries(names.map((name, index) => [name, block + 1 + index]));
    return { ports, [Symbol.asyncDispose]: () => close(guard) };
  }
  throw new OperationalError("This machine has no block of free loopback ports between 20000 and 32000.");
}

/** Throws OperationalError if `port` of `host` is in use. */
export async function requireFreePort(port: number, host: string): Promise<void> {
  try {
    await close(await listen(port, host));
  } catch (error) {
    throw new OperationalError(portRefusal(systemErrorCode(error), port, host), { cause: error });
  }
}

function portRefusal(code: string, port: number, host: string): string {
  const remedy = "choose another one, for example CANVASS_PORT=0 for any that is free";
  if (code === "EADDRINUSE") return `Port ${port} is taken by another program: stop it or ${remedy}.`;
  if (code === "EACCES") return `Port ${port} needs rights that this user does not have: ${remedy}.`;
  return `Canvass cannot listen on ${host}:${port} (${code}): ${remedy}.`;
}

function storedBlock(stored: unknown): number | undefined {
  const block = typeof stored === "object" && stored !== null && "block" in stored ? Number(stored.block) : NaN;
  return Number.isInteger(block) && block >= LOWEST && block + BLOCK_SIZE <= HIGHEST ? block : undefined;
}

function randomBlock(): number {
  return LOWEST + BLOCK_SIZE * randomInt(Math.floor((HIGHEST - LOWEST) / BLOCK_SIZE));
}

async function claimBlock(block: number, count: number): Promise<Server | undefined> {
  const guard = await listen(block, LOOPBACK).catch(() => undefined);
  if (guard === undefined) return undefined;
  const others = await Promise.all(
    Array.from({ length: count }, (_, index) => listen(block + 1 + index, LOOPBACK).catch(() => undefined)),
  );
  await Promise.all(others.filter((server) => server !== undefined).map(close));
  if (!others.includes(undefined)) return guard;
  await close(guard);
  return undefined;
}

function listen(port: number, host: string): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<Server>();
  const server = createServer((connection) => connection.destroy());
  server.once("error", reject);
  server.listen(port, host, () => resolve(server));
  return promise;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
