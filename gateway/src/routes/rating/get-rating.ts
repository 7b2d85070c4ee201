import { ElementKind } from "@canvass/proto/survey-elements";
import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { elementParams } from "../elements/element-input.ts";
import { elementSchema } from "../elements/element-view.ts";
import { respondWithElement, elementRead } from "../elements/read-element.ts";
import { envelope } from "../schemas.ts";

export function registerGetRatingRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/rating/:elementId",
    {
      config: elementRead,
      schema: {
        operationId: "getRating",
        tags: ["Elements"],
        summary: "Get a rating",
        description: "Returns it with its steps, style and labels.",
        params: elementParams,
        response: { 200: envelope("The question in the draft", elementSchema) },
      },
    },
    (request, reply) => respondWithElement(context, reply, request.params.elementId, ElementKind.RATING),
  );
}
