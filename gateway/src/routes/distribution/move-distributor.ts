import type { GatewayContext } from "../../context.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { respondWithDistributor } from "./respond-with-distributor.ts";
import { distributorParams, distributorSchema } from "./distributor-view.ts";

interface Move {
  name: "activate" | "pause" | "resume" | "close";
  summary: string;
  description: string;
}

const moves: readonly Move[] = [
  {
    name: "activate",
    summary: "Let a draft collect",
    description: "Of a draft. One that collects stays so; what is paused is resumed instead.",
  },
  {
    name: "pause",
    summary: "Stop a distributor for a while",
    description: "At once, for new people and for those who had begun. One that is paused stays so.",
  },
  {
    name: "resume",
    summary: "Let a paused distributor go on",
    description: "Those who had begun go on where they were. One that collects stays so.",
  },
  {
    name: "close",
    summary: "Close a distributor for good",
    description: "It answers as a paused one does and never opens again. One that is closed stays so.",
  },
];

export function registerMoveDistributorRoutes(api: Api, context: GatewayContext): void {
  for (const move of moves) registerMoveRoute(api, context, move);
}

function registerMoveRoute(api: Api, context: GatewayContext, { name, summary, description }: Move): void {
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
        response: { 200: envelope("The distributor as it now is", distributorSchema) },
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
