import type { GatewayContext } from "../../context.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { respondWithDistributor } from "./respond-with-distributor.ts";
import { distributorParams, distributorSchema } from "./distributor-view.ts";

export function registerGetDistributorRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/distribution/:distributorId",
    {
      config: { scope: "distribution:read", etag: true, errors: ["distributor_not_found"] },
      schema: {
        operationId: "getDistributor",
        tags: ["Distribution"],
        summary: "Get a distributor",
        description: "The ETag changes with the name, settings and status, not with `stats` and `linkCount`.",
        params: distributorParams,
        response: { 200: envelope("The distributor with its figures", distributorSchema) },
      },
    },
    async (request, reply) => {
      const { distributors } = context.clients;
      const { distributor } = await distributors.getDistributor(request.params, rpcOptions(context, request));
      return respondWithDistributor(context, reply, distributor);
    },
  );
}
