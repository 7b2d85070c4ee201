import type { MessageInitShape } from "@bufbuild/protobuf";
import type { EditElementRequestSchema, EditElementResponse, Element } from "@canvass/proto/survey";
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from "fastify";
import { rpcOptions } from "../../clients/rpc-options.ts";
import type { GatewayContext } from "../../context.ts";
import { answer } from "../../plugins/answers/envelope.ts";
import { ifMatchOf } from "../../plugins/answers/etag.ts";
import { given } from "../given.ts";
import { elementView } from "./element-view.ts";

/** What every write of an element is guarded by. */
export const elementWrite = {
  scope: "surveys:write",
  idempotentIn: "survey",
  ifMatch: "optional",
  errors: ["element_not_found", "element_retired"],
} as const satisfies FastifyContextConfig;

/** The same for writes whose answer has the element's new tag. */
export const elementEdit = {
  ...elementWrite,
  etag: true,
  errors: [...elementWrite.errors, "quota_exceeded"],
} as const satisfies FastifyContextConfig;

export type ElementEdit = Required<MessageInitShape<typeof EditElementRequestSchema>>["edit"];

/** Edits an element; the answer's element is always there. */
export async function editElement(
  context: GatewayContext,
  request: FastifyRequest,
  elementId: string,
  edit: ElementEdit,
): Promise<EditElementResponse & { element: Element }> {
  const { surveys } = context.clients;
  const edited = await surveys.editElement(
    { elementId, ifMatch: ifMatchOf(request), edit },
    rpcOptions(context, request),
  );
  return { ...edited, element: given(edited.element) };
}

/** Edits an element and answers with it as it now is. */
export async function answerEdited(
  context: GatewayContext,
  reply: FastifyReply,
  elementId: string,
  edit: ElementEdit,
): Promise<FastifyReply> {
  const { element } = await editElement(context, reply.request, elementId, edit);
  return answer(context, reply, { data: elementView(element), etag: element.etag });
}
