import type { GatewayContext } from "../../context.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { respondWithDistributor } from "./respond-with-distributor.ts";
import { distributorParams, distributorSchema } from "./distributor-view.ts";

interface StatusChange {
  name: "activate" | "pause" | "resume" | "close";
  summary: string;
  description: string;
}

const statusChanges: readonly StatusChange[] = [
  {
    name: "activate",
    summary: "Activate a draft distributor",
    description: "Does nothing if the distributor is already active. To restart a paused distributor, use `resume`.",
  },
  {
    name: "pause",
    summary: "Pause a distributor",
    description: "Takes effect at once, also for respondents who have already started. Does nothing if already paused.",
  },
  {
    name: "resume",
    summary: "Resume a paused distributor",
    description: "Respondents who had started continue where they left off. Does nothing if already active.",
  },
  {
    name: "close",
    summary: "Close a distributor permanently",
    description:
      "Nobody can start or answer through it any more, and it cannot be reopened. Does nothing if already closed.",
  },
];

export function registerDistributorStatusRoutes(api: Api, context: GatewayContext): void {
  for (const change of statusChanges) registerStatusRoute(api, context, change);
}

function registerStatusRoute(api: Api, context: GatewayContext, { name, summary, description }: StatusChange): void {
  api.post(
    `/distribution/:distributorId/${name}`,
    {
      config: {
        scope: "distribution:write",
        idempotent: true,
        etag: true,
        errors: ["distributor_not_found", "invalid_transition"],
      },
      schema: {
        operationId: `${name}Distributor`,
        tags: ["Distribution"],
        summary,
        description,
        params: distributorParams,
        response: { 200: envelope("The updated distributor", distributorSchema) },
      },
    },
    async (request, reply) => {
      const { distributorId } = request.params;
      const { distributors } = context.clients;
      const options = rpcOptions(context, request);
      const { distributor } = await distributors.moveDistributor({ distributorId, move: name }, options);
      return respondWithDistributor(context, reply, distributor);
    },
  );
}
