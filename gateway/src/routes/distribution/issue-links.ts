import { mostIssuedLinks } from "@canvass/inputs";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { created } from "../location.ts";
import { envelope } from "../schemas.ts";
import { documentedIssueLinks } from "./distributor-input.ts";
import { distributorParams } from "./distributor-view.ts";
import { issuedLinkSchema, issuedLinkView } from "./issued-link-view.ts";
import { linkUrlBuilder } from "./link-url-builder.ts";

const description = `Takes \`count\` for a distributor of type \`single_use_link\`, \`contactIds\` for \`personal_link\`. A contact that has a link
keeps it. A distributor has at most ${mostIssuedLinks} links.`;

export function registerIssueLinksRoute(api: Api, context: GatewayContext): void {
  const urlOf = linkUrlBuilder(context);
  api.post(
    "/distribution/:distributorId/links",
    {
      config: {
        scope: "distribution:write",
        idempotent: true,
        errors: ["distributor_not_found", "quota_exceeded", "invalid_transition"],
      },
      schema: {
        operationId: "issueLinks",
        tags: ["Distribution"],
        summary: "Issue single-use or personal links",
        description,
        params: distributorParams,
        body: documentedIssueLinks,
        response: {
          201: envelope("The new links; of personal ones one for each contact, in order", Type.Array(issuedLinkSchema)),
        },
      },
    },
    async (request, reply) => {
      const wanted = { distributorId: request.params.distributorId, bodyJson: request.bodyText! };
      const { links } = await context.clients.distributors.issueLinks(wanted, rpcOptions(context, request));
      created(reply, `/distribution/${wanted.distributorId}/links`);
      return respond(context, reply, { data: links.map((link) => issuedLinkView(link, urlOf)) });
    },
  );
}
