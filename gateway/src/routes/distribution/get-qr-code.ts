import { qrCodeQuery } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { binary } from "../../plugins/responses/file.ts";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { Api } from "../api.ts";
import { requireMessage } from "../require-message.ts";
import { distributorParams } from "./distributor-view.ts";
import { linkUrlBuilder } from "./link-url-builder.ts";
import { qrCodePng, qrCodeSvg } from "./qr-code.ts";
import { requireCode } from "./require-code.ts";

/** Shared caches do not store the image, and an SVG opened by itself runs nothing. */
const headers = {
  "cache-control": "private, no-cache",
  "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
};

const content = { "image/*": { schema: binary } };

export function registerGetQrCodeRoute(api: Api, context: GatewayContext): void {
  const urlOf = linkUrlBuilder(context);
  api.get(
    "/distribution/:distributorId/qr-code",
    {
      config: { scope: "distribution:read", errors: ["distributor_not_found"] },
      schema: {
        operationId: "getQrCode",
        tags: ["Distribution"],
        summary: "Get a link's QR code",
        description:
          "Returns an image of the link's `url`, without envelope. Not available for single-use and personal links.",
        params: distributorParams,
        querystring: qrCodeQuery,
        response: { 200: { description: "The image", content } },
      },
    },
    async (request, reply) => {
      const { distributors } = context.clients;
      const { distributor } = await distributors.getDistributor(request.params, rpcOptions(context, request));
      const url = urlOf(requireCode(requireMessage(distributor)));
      const { format, size } = request.query;
      reply.headers(headers).type(format === "png" ? "image/png" : "image/svg+xml");
      return reply.send(format === "png" ? await qrCodePng(url, size) : qrCodeSvg(url, size));
    },
  );
}
