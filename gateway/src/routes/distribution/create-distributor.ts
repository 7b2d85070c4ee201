import type { GatewayContext } from "../../context.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { created } from "../location.ts";
import { envelope } from "../schemas.ts";
import { surveyParams } from "../surveys/survey-input.ts";
import { respondWithDistributor } from "./respond-with-distributor.ts";
import { documentedCreateDistributor } from "./distributor-input.ts";
import { distributorSchema } from "./distributor-view.ts";

const description = `A distributor is a way to invite people to a survey. \`link\` and \`embed\` have one URL for everybody;
with \`single_use_link\` and \`personal_link\` each person gets a link (\`POST /distribution/{distributorId}/links\`). It is a draft until it is activated.`;

export function registerCreateDistributorRoute(api: Api, context: GatewayContext): void {
  api.post(
    "/distribution/surveys/:surveyId",
    {
      config: {
        scope: "distribution:write",
        idempotent: true,
        etag: true,
        errors: ["survey_not_found", "feature_locked", "quota_exceeded"],
      },
      schema: {
        operationId: "createDistributor",
        tags: ["Distribution"],
        summary: "Create a distributor",
        description,
        params: surveyParams,
        body: documentedCreateDistributor,
        response: { 201: envelope("The new distributor, a draft", distributorSchema) },
      },
    },
    async (request, reply) => {
      const wanted = { surveyId: request.params.surveyId, bodyJson: request.bodyText! };
      const { distributors } = context.clients;
      const response = await distributors.createDistributor(wanted, rpcOptions(context, request));
      const distributor = requireMessage(response.distributor);
      created(reply, `/distribution/${distributor.distributorId}`);
      return respondWithDistributor(context, reply, distributor);
    },
  );
}
