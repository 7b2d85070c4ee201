import type { GatewayContext } from "../../context.ts";
import { respond, RenderedData } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope, named, shownAs } from "../schemas.ts";
import { versionParams } from "./publishing-params.ts";
import { versionFields, versionView } from "./version-view.ts";

const versionSchema = named("SurveyVersion", {
  ...versionFields,
  definition: shownAs("SurveyDefinition"),
});

export function registerGetVersionRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/surveys/:surveyId/versions/:versionId",
    {
      config: { scope: "surveys:read", etag: true, errors: ["survey_not_found", "version_not_found"] },
      schema: {
        operationId: "getVersion",
        tags: ["Publishing"],
        summary: "Get a version as it was published",
        description: "A version and its ETag never change.",
        params: versionParams,
        response: { 200: envelope("The version with its pages and questions", versionSchema) },
      },
    },
    async (request, reply) => {
      const found = await context.clients.surveys.getVersion(request.params, rpcOptions(context, request));
      const fields = JSON.stringify(versionView(requireMessage(found.version)));
      const data = new RenderedData(`${fields.slice(0, -1)},"definition":${found.definitionJson}}`);
      return respond(context, reply, { data, etag: found.etag });
    },
  );
}
