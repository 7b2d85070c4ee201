import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { respondWithEdited, elementEdit } from "../elements/edit-element.ts";
import { documentedChoices, elementParams } from "../elements/element-input.ts";
import { elementSchema } from "../elements/element-view.ts";
import { envelope } from "../schemas.ts";

const description =
  "Takes the full list, all or nothing: choices in the list are kept, `choiceId` null adds a new one, and the others are deleted, or retired if they were answered.";

export function registerReplaceChoicesRoute(api: Api, context: GatewayContext): void {
  api.put(
    "/multiple-choice/:elementId/choices",
    {
      config: elementEdit,
      schema: {
        operationId: "replaceChoices",
        tags: ["Elements"],
        summary: "Replace the choices of a question",
        description,
        params: elementParams,
        body: documentedChoices,
        response: { 200: envelope("The updated question", elementSchema) },
      },
    },
    (_request, reply) => respondWithEdited(context, reply, "choices"),
  );
}
