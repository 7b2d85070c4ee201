import { embedCodeQuery } from "@canvass/inputs";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { given } from "../given.ts";
import { envelope, named } from "../schemas.ts";
import { distributorParams } from "./distributor-view.ts";
import { iframeCode, popupCode } from "./embed-code.ts";
import { linkAddress } from "./link-address.ts";
import { requireCode } from "./require-code.ts";

const embedCodeSchema = named("EmbedCode", {
  mode: Type.String({ enum: ["iframe", "popup"] }),
  html: Type.String({ description: "to be pasted into a page" }),
  url: Type.String({ format: "uri" }),
  allowedOrigins: Type.Array(Type.String(), {
    description: "pages that may show it in a frame, by the distributor's settings; a popup needs none",
  }),
});

export function registerGetEmbedCodeRoute(api: Api, context: GatewayContext): void {
  const urlOf = linkAddress(context);
  api.get(
    "/distribution/:distributorId/embed-code",
    {
      config: { scope: "distribution:read", errors: ["distributor_not_found"] },
      schema: {
        operationId: "getEmbedCode",
        tags: ["Distribution"],
        summary: "Get HTML that shows a survey in a page",
        description: "Links for one person each have none.",
        params: distributorParams,
        querystring: embedCodeQuery,
        response: { 200: envelope("The HTML", embedCodeSchema) },
      },
    },
    async (request, reply) => {
      const { distributors } = context.clients;
      const found = await distributors.getDistributor(request.params, rpcOptions(context, request));
      const distributor = given(found.distributor);
      const url = urlOf(requireCode(distributor));
      const { mode } = request.query;
      const html = mode === "popup" ? popupCode(url, distributor.name) : iframeCode(url, distributor.name);
      const allowedOrigins = distributor.settings?.allowedOrigins ?? [];
      return respond(context, reply, { data: { mode, html, url, allowedOrigins } });
    },
  );
}
