import { AppError, errorCatalogue } from "@canvass/errors";
import type { FastifyReply } from "fastify";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import type { HealthReport } from "../../clients/health-report.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { errorResponse, errorHeaders } from "../../plugins/errors/error-response.ts";
import type { Api } from "../api.ts";
import { envelope, named, words } from "../schemas.ts";

const healthSchema = named("Health", {
  status: words(["ok", "degraded", "unavailable"], { description: "degraded: events are delayed" }),
  checks: Type.Record(Type.String(), words(["ok", "unavailable"]), {
    description: "by service, and for database and broker",
  }),
});

export function registerGetHealthRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/health",
    {
      config: { scope: "public", limit: false, errors: ["service_unavailable"] },
      schema: {
        operationId: "getHealth",
        tags: ["Service"],
        summary: "Check the health of the service",
        description: "503 `service_unavailable` if a part is down; that response has `data`, too.",
        response: { 200: envelope("Everything needed is there", healthSchema) },
      },
    },
    async (_request, reply) => {
      const report = await context.health();
      return report.status === "unavailable"
        ? respondUnavailable(context, reply, report)
        : respond(context, reply, { data: report });
    },
  );
}

/** Sends an ordinary error that also has the report in `data`, for callers that read only that. */
function respondUnavailable({ now }: GatewayContext, reply: FastifyReply, report: HealthReport): FastifyReply {
  const error = new AppError("service_unavailable", { ...report });
  reply.code(errorCatalogue[error.code].status).headers(errorHeaders(error, now()));
  return reply.send({ ...errorResponse(error, reply.request.id, now()), data: report });
}
