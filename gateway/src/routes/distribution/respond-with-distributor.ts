import type { Distributor } from "@canvass/proto/distribution";
import type { FastifyReply } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { requireMessage } from "../require-message.ts";
import { distributorView } from "./distributor-view.ts";
import { linkUrlBuilder } from "./link-url-builder.ts";

export function respondWithDistributor(
  context: GatewayContext,
  reply: FastifyReply,
  message: Distributor | undefined,
): FastifyReply {
  const distributor = requireMessage(message);
  return respond(context, reply, {
    data: distributorView(distributor, linkUrlBuilder(context)),
    etag: distributor.etag,
  });
}
