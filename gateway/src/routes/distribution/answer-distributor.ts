import type { Distributor } from "@canvass/proto/distribution";
import type { FastifyReply } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { answer } from "../../plugins/answers/envelope.ts";
import { given } from "../given.ts";
import { distributorView } from "./distributor-view.ts";
import { linkAddress } from "./link-address.ts";

export function answerDistributor(
  context: GatewayContext,
  reply: FastifyReply,
  message: Distributor | undefined,
): FastifyReply {
  const distributor = given(message);
  return answer(context, reply, {
    data: distributorView(distributor, linkAddress(context)),
    etag: distributor.etag,
  });
}
