import { setTimeout as delay } from "node:timers/promises";
import type { WriteBody } from "./exchange.ts";

const PIECES = 5;
const PAUSE_MS = 40;

/** Writes headers and body as a slow network brings them. */
export const writeInPieces: WriteBody = async (request, body) => {
  const size = Math.ceil(body.length / PIECES);
  request.flushHeaders();
  for (let at = 0; at < body.length && !request.destroyed; at += size) {
    await delay(PAUSE_MS);
    request.write(body.subarray(at, at + size));
  }
  request.end();
};
