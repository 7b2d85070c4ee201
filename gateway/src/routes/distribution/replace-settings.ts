import type { GatewayContext } from "../../context.ts";
import { ifMatchOf } from "../../plugins/responses/etag.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { respondWithDistributor } from "./respond-with-distributor.ts";
import { documentedSettings } from "./distributor-input.ts";
import { distributorParams, distributorSchema } from "./distributor-view.ts";

const description = `Omitted settings return to their defaults, with \`{}\` all of them. The password is removed unless \`password\` is true. The settings
are in effect when the response arrives. \`responseLimit\`, \`password\` and \`redirectUrl\` need the same plan as in a survey.`;

export function registerReplaceSettingsRoute(api: Api, context: GatewayContext): void {
  api.put(
    "/distribution/:distributorId/settings",
    {
      config: {
        scope: "distribution:write",
        idempotent: true,
        ifMatch: "required",
        etag: true,
        errors: ["distributor_not_found", "feature_locked"],
      },
      schema: {
        operationId: "replaceDistributorSettings",
        tags: ["Distribution"],
        summary: "Replace a distributor's settings",
        description,
        params: distributorParams,
        body: documentedSettings,
        response: { 200: envelope("The updated distributor", distributorSchema) },
      },
    },
    async (request, reply) => {
      const { distributorId } = request.params;
      const change = { distributorId, ifMatch: ifMatchOf(request), bodyJson: request.bodyText! };
      const { distributors } = context.clients;
      const { distributor } = await distributors.replaceDistributorSettings(change, rpcOptions(context, request));
      return respondWithDistributor(context, reply, distributor);
    },
  );
}
