import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope, id, named } from "../schemas.ts";
import { distributorParams } from "./distributor-view.ts";

const deletedSchema = named("DeletedDistributor", { id, deleted: Type.Boolean({ const: true }) });

export function registerDeleteDistributorRoute(api: Api, context: GatewayContext): void {
  api.delete(
    "/distribution/:distributorId",
    {
      config: {
        scope: "distribution:write",
        idempotent: true,
        errors: ["distributor_not_found", "distributor_has_responses"],
      },
      schema: {
        operationId: "deleteDistributor",
        tags: ["Distribution"],
        summary: "Delete a distributor",
        description: "Deletes it with all its links. Refused if anybody has started by one of them: close it instead.",
        params: distributorParams,
        response: { 200: envelope("What was deleted", deletedSchema) },
      },
    },
    async (request, reply) => {
      const { distributorId } = request.params;
      await context.clients.distributors.deleteDistributor({ distributorId }, rpcOptions(context, request));
      return respond(context, reply, { data: { id: distributorId, deleted: true } });
    },
  );
}
