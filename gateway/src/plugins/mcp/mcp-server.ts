import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server, type Tool } from "@modelcontextprotocol/server";
import { scopeRefusal } from "@canvass/access";
import { createKeyedSemaphore } from "@canvass/fairness";
import type { FastifyRequest } from "fastify";
import type { Identity } from "../../batches/identity.ts";
import type { GatewayContext } from "../../context.ts";
import { apiVersion } from "../responses/envelope.ts";
import { notice } from "./notice.ts";
import type { Operation } from "./operations.ts";
import { prepareTools, type PreparedTool } from "./prepare-tools.ts";
import { runTool, type ToolCall } from "./run-tool.ts";

const instructions =
  "Canvass creates surveys and collects answers. A survey is a draft until it is published: validate_draft, plan_publication, " +
  `publish_survey; then create_link and activate_link let people answer. ${notice}`;

/** Calls of tools at once. */
const callLimits = { perKey: 8, total: 64, reserved: 32, counted: "tools" };

/** Answers one request of the Model Context Protocol. */
export type ServeMcp = (call: ToolCall) => Promise<Response>;

/** Serves the tools without sessions: each request has its own server, so any gateway can handle the next one. */
export function mcpServer(context: Pick<GatewayContext, "log">, operations: ReadonlyMap<string, Operation>): ServeMcp {
  const tools = { log: context.log, permits: createKeyedSemaphore(callLimits) };
  const prepared = prepareTools(operations);
  const described = new Map([...prepared].map(([name, each]) => [name, describedTool(each)]));

  function serverFor(call: ToolCall): Server {
    const server = new Server(
      { name: "canvass", title: "Canvass", version: apiVersion },
      { capabilities: { tools: {} }, instructions },
    );
    server.setRequestHandler("tools/list", () => ({
      tools: [...prepared.values()]
        .filter(({ operation }) => mayCall(operation, call.request.identity!))
        .map(({ tool }) => described.get(tool.name)!),
    }));
    server.setRequestHandler("tools/call", ({ params }) => {
      const found = prepared.get(params.name);
      if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool.");
      return runTool(tools, call, found, params.arguments ?? {});
    });
    return server;
  }

  const onerror = (error: Error) => context.log.debug({ err: error }, "a message of MCP was refused");
  return (call) =>
    createMcpHandler(() => serverFor(call), { onerror, maxSubscriptions: 0, keepAliveMs: 0 }).fetch(
      webRequest(call.request, call.signal),
      { parsedBody: call.request.body },
    );
}

/** Whether token and role have the scope of an operation. Others are not listed, and refuse calls themselves. */
function mayCall({ config: { scope } }: Operation, identity: Identity): boolean {
  return scope === undefined || scope === "any_token" || scope === "public" || !scopeRefusal(scope, identity);
}

function describedTool({ tool, inputSchema, outputSchema }: PreparedTool): Tool {
  const { name, title, description, effect } = tool;
  return {
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations: {
      title,
      readOnlyHint: effect === "reads",
      destructiveHint: effect === "changes",
      idempotentHint: effect !== "adds",
      openWorldHint: false,
    },
  };
}

/** The request's target is left out: it may be a whole address with a password, which `Request` refuses. */
function webRequest({ headers, method }: FastifyRequest, signal: AbortSignal): Request {
  const given = Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  return new Request("http://localhost/mcp", { method, headers: given as [string, string][], signal });
}
