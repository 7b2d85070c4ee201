import { Type } from "typebox";
import type { FastifyReply } from "fastify";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import { editElement, elementEdit } from "../elements/edit-element.ts";
import { id, named } from "../schemas.ts";

export const deletedChoiceSchema = named("DeletedChoice", {
  choiceId: id,
  retired: Type.Boolean({ description: "it was answered: results keep it" }),
  responses: Type.Integer({ description: "answers that name it, tests left out" }),
});

export const deleteChoiceConfig = { ...elementEdit, errors: [...elementEdit.errors, "choice_not_found"] } as const;

export const deletedChoiceDescription =
  "It is retired when it was answered, never lost. The last choice that can be chosen stays.";

export async function respondWithDeletedChoice(
  context: GatewayContext,
  reply: FastifyReply,
  choiceId: string,
  edit: "deleteChoice" | "deleteImageChoice",
): Promise<FastifyReply> {
  const edited = await editElement(context, reply.request, edit, JSON.stringify({ choiceId }));
  const retired = edited.retiredIds.includes(choiceId);
  const responses = retired ? Number(edited.retiredResponses[choiceId]) : 0;
  return respond(context, reply, { data: { choiceId, retired, responses }, etag: edited.element.etag });
}
