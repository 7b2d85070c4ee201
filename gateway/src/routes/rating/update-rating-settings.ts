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
        summary: "Change steps and style of a rating",
        description: "What is left out stays. Fewer steps than an answered rating has stop the next publication.",
        params: elementParams,
        body: documentedRatingSettings,
        response: { 200: envelope("The question as it now is", elementSchema) },
      },
    },
    (_request, reply) => respondWithEdited(context, reply, "ratingSettings"),
  );
}
