import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { respondWithEdited, elementEdit } from "../elements/edit-element.ts";
import { documentedRatingSettings, elementParams } from "../elements/element-input.ts";
import { elementSchema } from "../elements/element-view.ts";
import { envelope } from "../schemas.ts";

export function registerUpdateRatingSettingsRoute(api: Api, context: GatewayContext): void {
  api.put(
    "/rating/:elementId/settings",
    {
      config: elementEdit,
      schema: {
        operationId: "updateRatingSettings",
        tags: ["Elements"],
        summary: "Change the steps and style of a rating",
        description: "Only given fields change. If the rating has answers, fewer steps prevent the next publication.",
        params: elementParams,
        body: documentedRatingSettings,
        response: { 200: envelope("The updated question", elementSchema) },
      },
    },
    (_request, reply) => respondWithEdited(context, reply, "ratingSettings"),
  );
}
