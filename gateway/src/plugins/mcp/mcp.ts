import { AppError } from "@canvass/errors";
import { lazy } from "@canvass/telemetry";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { readerSignal } from "../responses/reader-signal.ts";
import type { Operation } from "./operations.ts";
import { originGuard } from "./origin-guard.ts";

/** Serves operations as tools of the Model Context Protocol (contract 12). Each request counts as a read. */
export function registerMcp(
  app: FastifyInstance,
  context: GatewayContext,
  operations: ReadonlyMap<string, Operation>,
): void {
  app.addHook("onRequest", originGuard(context.config));
  // Imported lazily: the SDK takes 0.2 s and 25 MB, and few gateways serve MCP.
  const load = lazy(async () => (await import("./mcp-server.ts")).mcpServer(context, operations));
  app.post(
    "/mcp",
    { config: { scope: "any_token", limit: "reads" }, schema: { hide: true, body: Type.Unknown() } },
    async (request, reply) => {
      if (Array.isArray(request.body)) throw new AppError("invalid_request", { body: ["must be a single message"] });
      const serve = await load();
      const response = await serve({ app, request, signal: readerSignal(reply) });
      const type = response.headers.get("content-type");
      if (type !== null) reply.header("content-type", type);
      return reply.code(response.status).send(await response.text());
    },
  );
}
