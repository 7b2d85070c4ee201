import { AppError } from "@canvass/errors";
import type { KeyedSemaphore } from "@canvass/fairness";
import { groupViolations, shapeViolations } from "@canvass/inputs";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { errorFields } from "../errors/error-response.ts";
import { callRoute, type RouteResponse } from "./call-route.ts";
import type { PreparedTool } from "./prepare-tools.ts";
import { requestOf } from "./request-of.ts";
import { skipParam } from "./tool-schemas.ts";
import { errorResult, tooLarge, toolResult, type ToolError, type ToolResult } from "./tool-result.ts";

/** Longer answers of the API are not read: parsing them would block the event loop. */
const mostBytes = 2 * 1_048_576;

/** Who calls, for which workspace, and the address that proxies name. */
const passedOn = ["authorization", "x-workspace-id", "x-forwarded-for"];

export interface ToolCall {
  app: FastifyInstance;
  request: FastifyRequest;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
}

export interface ToolContext extends Pick<GatewayContext, "log"> {
  /** Calls under way, by workspace. Each may hold an answer of the API. */
  permits: KeyedSemaphore;
}

/** Calls the operation of a tool as its caller. Errors of the operation are results. */
export async function runTool(
  { log, permits }: ToolContext,
  { app, request, signal }: ToolCall,
  { tool, operation, places }: PreparedTool,
  given: Record<string, unknown>,
): Promise<ToolResult> {
  try {
    using _ = permits.acquire(request.identity!.caller.workspaceId);
    const skip = places.has("skip") ? readSkip(given["skip"]) : 0;
    const asked = requestOf(operation, places, given);
    const response = await callRoute(app, request, asked, { passedOn, signal, mostBytes });
    return resultOf(response, tool.list, skip);
  } catch (error) {
    if (error instanceof AppError) return errorResult(errorFields(error));
    // A route that fails in the middle of an answer logs the cause and cuts the connection.
    const { code } = error as { code?: string };
    if (code === "ECONNRESET") return errorResult(errorFields(new AppError("service_unavailable")));
    if (!signal.aborted) log.error({ err: error, requestId: request.id, tool: tool.name }, "a tool failed");
    return errorResult(errorFields(new AppError("internal_error")));
  }
}

function readSkip(value: unknown = 0): number {
  const violations = shapeViolations(skipParam, value ?? 0, "skip");
  if (violations.length > 0) throw new AppError("validation_failed", groupViolations(violations));
  return Number(value);
}

function resultOf({ status, headers, text }: RouteResponse, list: string | undefined, skip: number): ToolResult {
  if (text === undefined) return tooLarge;
  const envelope = JSON.parse(text) as Parameters<typeof toolResult>[0] & { error: ToolError };
  if (status < 400) return toolResult(envelope, { list, skip });
  const wait = headers["retry-after"];
  return errorResult({ ...envelope.error, ...(wait !== undefined && { retryAfterSeconds: Number(wait) }) });
}
