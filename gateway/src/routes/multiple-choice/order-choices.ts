import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { respondWithEdited, elementEdit } from "../elements/edit-element.ts";
import { documentedChoiceOrder, elementParams } from "../elements/element-input.ts";
import { elementSchema } from "../elements/element-view.ts";
import { envelope } from "../schemas.ts";

export function registerOrderChoicesRoute(api: Api, context: GatewayContext): void {
  api.put(
    "/multiple-choice/:elementId/choices/order",
    {
      config: elementEdit,
      schema: {
        operationId: "orderChoices",
        tags: ["Elements"],
        summary: "Order the choices of a question",
        description: "The list must have all choices except retired ones, which stay at the end.",
        params: elementParams,
        body: documentedChoiceOrder,
        response: { 200: envelope("The updated question", elementSchema) },
      },
    },
    (_request, reply) => respondWithEdited(context, reply, "choiceOrder"),
  );
}
