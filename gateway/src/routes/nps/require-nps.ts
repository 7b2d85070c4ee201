import { ElementKind, type Element } from "@canvass/proto/survey-elements";
import type { FastifyRequest } from "fastify";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { requireMessage } from "../require-message.ts";

export async function requireNps(
  context: GatewayContext,
  request: FastifyRequest,
  elementId: string,
): Promise<Element> {
  const wanted = { elementId, kind: ElementKind.NPS };
  const { element } = await context.clients.surveys.getElement(wanted, rpcOptions(context, request));
  return requireMessage(element);
}
