import type { Distributor } from "@canvass/proto/distribution";
import type { FastifyReply } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { given } from "../given.ts";
import { distributorView } from "./distributor-view.ts";
import { linkAddress } from "./link-address.ts";

export function respondWithDistributor(
  context: GatewayContext,
  reply: FastifyReply,
  message: Distributor | undefined,
): FastifyReply {
  const distributor = given(message);
  return respond(context, reply, {
    data: distributorView(distributor, linkAddress(context)),
    etag: distributor.etag,
  });
}
