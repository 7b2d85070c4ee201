import { createLogger } from "@canvass/telemetry";
import { Writable } from "node:stream";
import { expect, test, vi } from "vitest";
import type { GatewayConfig } from "../../config.ts";
import { requestLineWriter, type RequestLine } from "./request-lines.ts";

const refusal = { method: "GET", route: "/x", status: 429, code: "rate_limited", ms: 1.4 } as const;

test("a flood of log lines is bounded and counted in one line, and hides no other workspace's refusals", () => {
  vi.useFakeTimers();
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({ write: (chunk, _, done) => (lines.push(JSON.parse(String(chunk))), done()) });
  const log = createLogger({ service: "gateway", pretty: false, destination });
  const write = requestLineWriter({ log, config: { CANVASS_REQUEST_LOG: "refused" } as GatewayConfig });
  const refuse = (workspaceId: RequestLine["workspaceId"]) => write({ ...refusal, workspaceId, requestId: "r" });
  for (let request = 0; request < 1_500; request++) refuse("loud");
  refuse("quiet");
  refuse(undefined);
  expect(lines.filter(({ workspaceId }) => workspaceId === "loud")).toHaveLength(1_000);
  expect(lines.slice(1_000).map(({ workspaceId }) => workspaceId)).toEqual(["quiet", undefined]);
  vi.advanceTimersByTime(1_000);
  expect(lines.at(-1)).toMatchObject({ level: "warn", workspaceId: "loud", requests: 500 });
  refuse("loud");
  expect(lines.at(-1)).toMatchObject({ msg: "request", workspaceId: "loud", ms: 1 });
  vi.useRealTimers();
});

test("a successful request of over a second has a log line, a faster one has none", () => {
  const lines: string[] = [];
  const destination = new Writable({ write: (chunk, _, done) => (lines.push(String(chunk)), done()) });
  const log = createLogger({ service: "gateway", pretty: false, destination });
  const write = requestLineWriter({ log, config: { CANVASS_REQUEST_LOG: "refused" } as GatewayConfig });
  for (const ms of [999, 1_001]) write({ ...refusal, status: 200, code: null, ms, workspaceId: "w", requestId: "r" });
  expect(lines).toHaveLength(1);
});
