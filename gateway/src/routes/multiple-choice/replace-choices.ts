import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { respondWithEdited, elementEdit } from "../elements/edit-element.ts";
import { documentedChoices, elementParams } from "../elements/element-input.ts";
import { elementSchema } from "../elements/element-view.ts";
import { envelope } from "../schemas.ts";

const description =
  "The full list, all or nothing: those it names stay, `choiceId` null is a new one, and the others go, or are retired when they were answered.";

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
        response: { 200: envelope("The question as it now is", elementSchema) },
      },
    },
    (_request, reply) => respondWithEdited(context, reply, "choices"),
  );
}
