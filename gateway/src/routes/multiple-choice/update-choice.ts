import { Type } from "typebox";
import type { GatewayContext } from "../../context.ts";
import { respond } from "../../plugins/responses/envelope.ts";
import type { Api } from "../api.ts";
import { editElement, elementEdit } from "../elements/edit-element.ts";
import { documentedChoice, elementParams } from "../elements/element-input.ts";
import { dateTime, envelope, id, named } from "../schemas.ts";
import { isoTime } from "../../plugins/responses/timestamps.ts";

const updatedSchema = named("UpdatedChoice", { newId: id, newTitle: Type.String(), updatedAt: dateTime });

export function registerUpdateChoiceRoute(api: Api, context: GatewayContext): void {
  api.put(
    "/multiple-choice/:elementId/choice",
    {
      config: elementEdit,
      schema: {
        operationId: "updateChoice",
        tags: ["Elements"],
        summary: "Change the text of a choice, or add one",
        description: "`choiceId` null adds a choice at the end. `newId` is the id of the changed or added choice.",
        params: elementParams,
        body: documentedChoice,
        response: { 200: envelope("The updated choice", updatedSchema) },
      },
    },
    async (request, reply) => {
      const { choiceId, newTitle } = request.body;
      const { element, addedIds } = await editElement(context, request, "choice");
      const data = { newId: choiceId ?? addedIds[0]!, newTitle, updatedAt: isoTime(element.updatedAt) };
      return respond(context, reply, { data, etag: element.etag });
    },
  );
}
