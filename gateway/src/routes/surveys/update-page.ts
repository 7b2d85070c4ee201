import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { given } from "../given.ts";
import { envelope } from "../schemas.ts";
import { documentedPatchPage, pageParams, pageSchema, pageView } from "./page-view.ts";

const description = `Only given fields change. A page repeats once for each chosen item of the question that \`loop\` names, which takes several
answers and stands on an earlier page. With \`showIf\` it is shown only if that holds. Rules of \`skipLogic\` lead forward only, ask questions of
this or an earlier page, and compare in a way that fits the question's type. \`shuffle\` gives each respondent an own order of the page's elements,
\`loop.shuffle\` of the items; the latter does not go together with rules of the page.
Pages that follow each other and have the same \`block\` come in an order of each respondent's own; they have no rules and do not ask each other.`;

export function registerUpdatePageRoute(api: Api, context: GatewayContext): void {
  api.patch(
    "/surveys/:surveyId/pages/:pageId",
    {
      config: {
        scope: "surveys:write",
        idempotent: true,
        errors: ["invalid_request", "survey_not_found", "page_not_found", "quota_exceeded"],
      },
      schema: {
        operationId: "updatePage",
        tags: ["Surveys"],
        summary: "Change a page's title and logic",
        description,
        params: pageParams,
        body: documentedPatchPage,
        response: { 200: envelope("The page as it now is", pageSchema) },
      },
    },
    async (request, reply) => {
      const patch = { ...request.params, bodyJson: request.bodyText! };
      const { page } = await context.clients.surveys.updatePage(patch, rpcOptions(context, request));
      return respond(context, reply, { data: pageView(given(page)) });
    },
  );
}
