import { embedCodeQuery } from "@canvass/inputs";
import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import { escapeHtml } from "@canvass/values";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { envelope, named } from "../schemas.ts";
import { distributorParams } from "./distributor-view.ts";
import { linkUrlBuilder } from "./link-url-builder.ts";
import { requireCode } from "./require-code.ts";

const embedCodeSchema = named("EmbedCode", {
  mode: Type.String({ enum: ["iframe", "popup"] }),
  html: Type.String({ description: "for pasting into a page" }),
  url: Type.String({ format: "uri" }),
  allowedOrigins: Type.Array(Type.String(), {
    description: "origins of pages that may embed it, from the distributor's settings; not needed for a popup",
  }),
});

export function registerGetEmbedCodeRoute(api: Api, context: GatewayContext): void {
  const urlOf = linkUrlBuilder(context);
  api.get(
    "/distribution/:distributorId/embed-code",
    {
      config: { scope: "distribution:read", errors: ["distributor_not_found"] },
      schema: {
        operationId: "getEmbedCode",
        tags: ["Distribution"],
        summary: "Get HTML that embeds a survey",
        description: "Not available for single-use and personal links.",
        params: distributorParams,
        querystring: embedCodeQuery,
        response: { 200: envelope("The HTML", embedCodeSchema) },
      },
    },
    async (request, reply) => {
      const { distributors } = context.clients;
      const found = await distributors.getDistributor(request.params, rpcOptions(context, request));
      const distributor = requireMessage(found.distributor);
      const url = urlOf(requireCode(distributor));
      const { mode } = request.query;
      const html = mode === "popup" ? popupCode(url, distributor.name) : iframeCode(url, distributor.name);
      const allowedOrigins = distributor.settings?.allowedOrigins ?? [];
      return respond(context, reply, { data: { mode, html, url, allowedOrigins } });
    },
  );
}

/** Shows the survey in a frame as high as its content. */
function iframeCode(url: string, title: string): string {
  const id = elementIdOf(url, "iframe");
  return `<iframe id="${id}" src="${escapeHtml(url)}" title="${escapeHtml(title)}" referrerpolicy="origin" style="width:100%;height:600px;border:0"></iframe>
<script>
(function () {
  var frame = document.getElementById(${inScript(id)});
  window.addEventListener("message", function (event) {
    if (event.source !== frame.contentWindow || event.origin !== ${inScript(new URL(url).origin)}) return;
    if (!event.data || event.data.type !== "canvass:height") return;
    frame.style.height = Math.max(0, Number(event.data.height) || 0) + "px";
  });
})();
</script>
`;
}

function popupCode(url: string, title: string): string {
  const id = elementIdOf(url, "popup");
  return `<button type="button" id="${id}">${escapeHtml(title)}</button>
<script>
document.getElementById(${inScript(id)}).addEventListener("click", function () {
  window.open(${inScript(url)}, "_blank", "popup,width=720,height=800");
});
</script>
`;
}

/** Unique per link and mode, since one page may show several. */
const elementIdOf = (url: string, mode: string): string => `canvass-${mode}-${url.slice(url.lastIndexOf("/") + 1)}`;

/** Returns a JSON string that cannot end the script element. */
const inScript = (text: string): string => JSON.stringify(text).replaceAll("<", "\\u003c");
