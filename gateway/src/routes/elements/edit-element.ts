import type { EditElementResponse, Element } from "@canvass/proto/survey-elements";
import type { ElementEditName } from "@canvass/questions";
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from "fastify";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { ifMatchOf } from "../../plugins/responses/etag.ts";
import { requireMessage } from "../require-message.ts";
import { elementView } from "./element-view.ts";

export const elementWrite = {
  scope: "surveys:write",
  idempotent: true,
  ifMatch: "optional",
  errors: ["element_not_found", "element_retired"],
} as const satisfies FastifyContextConfig;

export const elementEdit = {
  ...elementWrite,
  etag: true,
  errors: [...elementWrite.errors, "quota_exceeded"],
} as const satisfies FastifyContextConfig;

export async function editElement(
  context: GatewayContext,
  request: FastifyRequest,
  edit: ElementEditName,
  bodyJson = request.bodyText!,
): Promise<EditElementResponse & { element: Element }> {
  const { surveys } = context.clients;
  const { elementId } = request.params as { elementId: string };
  const wanted = { elementId, ifMatch: ifMatchOf(request), edit, bodyJson };
  const edited = await surveys.editElement(wanted, rpcOptions(context, request));
  return { ...edited, element: requireMessage(edited.element) };
}

export async function respondWithEdited(
  context: GatewayContext,
  reply: FastifyReply,
  edit: ElementEditName,
): Promise<FastifyReply> {
  const { element } = await editElement(context, reply.request, edit);
  return respond(context, reply, { data: elementView(element), etag: element.etag });
}
