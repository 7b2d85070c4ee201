import type { GatewayContext } from "../../context.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { given } from "../given.ts";
import { created } from "../location.ts";
import { envelope } from "../schemas.ts";
import { surveyParams } from "../surveys/survey-input.ts";
import { respondWithDistributor } from "./respond-with-distributor.ts";
import { documentedCreateDistributor } from "./distributor-input.ts";
import { distributorSchema } from "./distributor-view.ts";

const description = `A distributor is a way by which people come to a survey. \`link\` and \`embed\` have one address for everybody;
with \`single_use_link\` and \`personal_link\` each person gets their own (\`POST /distribution/{distributorId}/links\`). It collects once it is activated.`;

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
      const distributor = given(response.distributor);
      created(reply, `/distribution/${distributor.distributorId}`);
      return respondWithDistributor(context, reply, distributor);
    },
  );
}
