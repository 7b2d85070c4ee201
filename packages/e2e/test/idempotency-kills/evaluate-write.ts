import { waitFor } from "@canvass/testing";
import { expect } from "vitest";
import type { ApiResponse, ApiClient } from "../../src/index.ts";
import { isRetryable } from "../../src/repeat-until-final.ts";
import type { HeldWrite } from "../database-gate.ts";
import type { KeyedWrite } from "../keyed-writes/keyed-operation.ts";
import { sendWrite, shown } from "../send-write.ts";

export interface SentWrite {
  api: ApiClient;
  /** Names the operation and the point at which a process was killed. */
  where: string;
  write: KeyedWrite;
  /** The idempotency key, also used as the first request's id. */
  key: string;
  /** Undefined if the connection broke. */
  answer: Promise<ApiResponse | undefined>;
  /** The held write; undefined if it had fewer steps. */
  point: HeldWrite | undefined;
}

/**
 * Asserts that a write happened once and that its replay is identical byte for byte. Returns false if it did not
 * happen.
 */
export async function evaluateWrite(
  { api, where, write, key, answer, point }: SentWrite,
  victim: string,
): Promise<boolean> {
  const first = await answer;
  if (!point && isUndecided(first)) return false;
  if (point) expect(isUndecided(first), `${where}: ${first?.raw}`).toBe(true);

  const again = await repeat(api, write, key);
  expect(again.status, `${where}: ${again.raw}`).toBeLessThan(300);
  if (first && !point) expect(shown(again)).toEqual(shown(first));
  // A killed service rolls back. A service behind a killed gateway finishes its work.
  const isReplay = !point || point.ended || victim === "gateway";
  expect(again.headers.get("x-request-id") === key, `${where}: the first request's answer`).toBe(isReplay);
  expect(again.headers.get("idempotent-replayed"), where).toBe(isReplay ? "true" : null);

  // A service that has just started may first respond with a retryable error.
  const replay = await repeat(api, write, key);
  expect(shown(replay), where).toEqual(shown(again));
  expect(replay.headers.get("idempotent-replayed"), where).toBe("true");
  await expectOnce(write.effects, where);
  return true;
}

/** Returns the response; undefined if the connection broke. */
export function tryWrite(api: ApiClient, write: KeyedWrite, key: string): Promise<ApiResponse | undefined> {
  return sendWrite(api, write, key).catch(() => undefined);
}

/** Repeats a write until its response is final. */
function repeat(api: ApiClient, write: KeyedWrite, key: string): Promise<ApiResponse> {
  const ask = async () => {
    const answer = await tryWrite(api, write, key);
    return isUndecided(answer) ? undefined : answer;
  };
  return waitFor(ask, { describe: `${write.method} ${write.path} to be answered` });
}

/** Whether the outcome is unknown, so that the write must be repeated. */
const isUndecided = (answer: ApiResponse | undefined): boolean => answer === undefined || isRetryable(answer);

/** Waits first: some effects appear a moment later. */
export async function expectOnce(effects: KeyedWrite["effects"], where: string): Promise<void> {
  const show = async () => {
    const counts = await effects();
    return Object.values(counts).every((count) => count > 0) ? counts : undefined;
  };
  const counts = await waitFor(show, { describe: "the effects of a write" });
  expect(new Set(Object.values(counts)), `${where}: ${JSON.stringify(counts)}`).toEqual(new Set([1]));
}
