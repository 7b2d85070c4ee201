import { Type } from "typebox";
import type { FastifyReply } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { editElement, elementEdit } from "../elements/edit-element.ts";
import { id, named } from "../schemas.ts";

export const deletedChoiceSchema = named("DeletedChoice", {
  choiceId: id,
  retired: Type.Boolean({ description: "true if it was answered, so results keep it" }),
  responses: Type.Integer({ description: "number of its answers, excluding test answers" }),
});

export const deleteChoiceConfig = { ...elementEdit, errors: [...elementEdit.errors, "choice_not_found"] } as const;

export const deletedChoiceDescription =
  "An answered choice is retired, not deleted. The last active choice cannot be deleted.";

export async function deleteChoiceAndRespond(
  context: GatewayContext,
  reply: FastifyReply,
  choiceId: string,
  edit: "deleteChoice" | "deleteImageChoice",
): Promise<FastifyReply> {
  const edited = await editElement(context, reply.request, edit, JSON.stringify({ choiceId }));
  const retired = edited.retiredIds.includes(choiceId);
  const responses = retired ? Number(edited.retiredResponses[choiceId] ?? 0) : 0;
  return respond(context, reply, { data: { choiceId, retired, responses }, etag: edited.element.etag });
}
