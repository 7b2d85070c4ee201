import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope } from "../schemas.ts";
import { documentedPatchPage, pageParams, pageSchema, pageView } from "./page-view.ts";

const description = `Only given fields change. A page with \`loop\` repeats once for each item that was chosen in that question, which must take several
answers and be on an earlier page. With \`showIf\` it is shown only if the condition holds. Rules of \`skipLogic\` only lead forward. They depend on questions of
this or an earlier page, with an operator that fits the question's type. \`shuffle\` shuffles the page's elements for each respondent,
\`loop.shuffle\` the items; a page with rules cannot have the latter.
Adjacent pages with the same \`block\` are shuffled for each respondent; they have no rules and do not depend on each other.`;

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
        response: { 200: envelope("The updated page", pageSchema) },
      },
    },
    async (request, reply) => {
      const patch = { ...request.params, bodyJson: request.bodyText! };
      const { page } = await context.clients.surveys.updatePage(patch, rpcOptions(context, request));
      return respond(context, reply, { data: pageView(requireMessage(page)) });
    },
  );
}
