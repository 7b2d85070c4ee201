import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { respondWithEdited, elementEdit } from "../elements/edit-element.ts";
import { documentedRatingLabel, elementParams } from "../elements/element-input.ts";
import { elementSchema } from "../elements/element-view.ts";
import { envelope } from "../schemas.ts";

export function registerUpdateRatingLabelRoute(api: Api, context: GatewayContext): void {
  api.put(
    "/rating/:elementId/label",
    {
      config: elementEdit,
      schema: {
        operationId: "updateRatingLabel",
        tags: ["Elements"],
        summary: "Label a position of a rating",
        description: "An empty text removes the label.",
        params: elementParams,
        body: documentedRatingLabel,
        response: { 200: envelope("The updated question", elementSchema) },
      },
    },
    (_request, reply) => respondWithEdited(context, reply, "ratingLabel"),
  );
}
