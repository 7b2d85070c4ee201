import type { GatewayContext } from "../../context.ts";
import { ifMatchOf } from "../../plugins/responses/etag.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { respondWithDistributor } from "./respond-with-distributor.ts";
import { documentedUpdateDistributor } from "./distributor-input.ts";
import { distributorParams, distributorSchema } from "./distributor-view.ts";

export function registerUpdateDistributorRoute(api: Api, context: GatewayContext): void {
  api.patch(
    "/distribution/:distributorId",
    {
      config: {
        scope: "distribution:write",
        idempotent: true,
        ifMatch: "required",
        etag: true,
        errors: ["invalid_request", "distributor_not_found"],
      },
      schema: {
        operationId: "updateDistributor",
        tags: ["Distribution"],
        summary: "Rename a distributor",
        params: distributorParams,
        body: documentedUpdateDistributor,
        response: { 200: envelope("The updated distributor", distributorSchema) },
      },
    },
    async (request, reply) => {
      const { distributorId } = request.params;
      const change = { distributorId, ifMatch: ifMatchOf(request), bodyJson: request.bodyText! };
      const { distributors } = context.clients;
      const { distributor } = await distributors.updateDistributor(change, rpcOptions(context, request));
      return respondWithDistributor(context, reply, distributor);
    },
  );
}
