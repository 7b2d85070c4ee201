import type { ElementKind } from "@canvass/proto/survey-elements";
import type { FastifyContextConfig, FastifyReply } from "fastify";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { requireMessage } from "../require-message.ts";
import { elementView } from "./element-view.ts";

export const elementRead = {
  scope: "surveys:read",
  etag: true,
  errors: ["element_not_found", "element_retired"],
} as const satisfies FastifyContextConfig;

export async function respondWithElement(
  context: GatewayContext,
  reply: FastifyReply,
  elementId: string,
  kind: ElementKind,
): Promise<FastifyReply> {
  const response = await context.clients.surveys.getElement({ elementId, kind }, rpcOptions(context, reply.request));
  const element = requireMessage(response.element);
  return respond(context, reply, { data: elementView(element), etag: element.etag });
}
