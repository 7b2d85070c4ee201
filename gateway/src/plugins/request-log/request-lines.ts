import type { ErrorCode } from "@canvass/errors";
import { traceField } from "@canvass/telemetry";
import type { GatewayContext } from "../../context.ts";

/** A logged request: its route's template and its id, never its URL, headers or body. */
export interface RequestLine {
  method: string;
  route: string;
  status: number;
  code: ErrorCode | null;
  ms: number;
  workspaceId: string | undefined;
  requestId: string;
  traceparent?: string | undefined;
}

export type WriteRequestLine = (line: RequestLine) => void;

const slowMs = 1_000;
// Per workspace, or for all unauthenticated callers: a flood of refusals must not fill the disk or hide other refusals.
const mostPerSecond = 1_000;

export function requestLineWriter({ config, log }: Pick<GatewayContext, "config" | "log">): WriteRequestLine {
  const mode = config.CANVASS_REQUEST_LOG;
  if (mode === "off") return () => {};
  const write: WriteRequestLine = ({ code, workspaceId, ms, traceparent, ...line }) => {
    const known = { ...(code && { code }), ...(workspaceId && { workspaceId }), ...traceField(traceparent) };
    log.info({ ...line, ms: Math.round(ms), ...known }, "request");
  };
  if (mode === "all") return write;
  const mayWrite = lineBudget((workspaceId, requests) =>
    log.warn({ ...(workspaceId && { workspaceId }), requests }, "too many requests were refused to log them all"),
  );
  return (line) => {
    if (line.status < 400 && line.ms < slowMs) return;
    if (mayWrite(line.workspaceId ?? "")) write(line);
  };
}

/**
 * Makes a check of whether a workspace may log another line in this second. `onDropped` reports dropped lines at the
 * end of the second.
 */
function lineBudget(onDropped: (workspaceId: string, lines: number) => void): (workspaceId: string) => boolean {
  const wanted = new Map<string, number>();
  const endSecond = () => {
    for (const [workspaceId, lines] of wanted) {
      if (lines > mostPerSecond) onDropped(workspaceId, lines - mostPerSecond);
    }
    wanted.clear();
  };
  return (workspaceId) => {
    if (wanted.size === 0) setTimeout(endSecond, 1_000).unref();
    const lines = (wanted.get(workspaceId) ?? 0) + 1;
    wanted.set(workspaceId, lines);
    return lines <= mostPerSecond;
  };
}
