import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { respondWithEdited, elementEdit } from "../elements/edit-element.ts";
import { documentedNpsSettings, elementParams } from "../elements/element-input.ts";
import { elementSchema } from "../elements/element-view.ts";
import { envelope } from "../schemas.ts";

export function registerUpdateNpsSettingsRoute(api: Api, context: GatewayContext): void {
  api.put(
    "/nps/:elementId/settings",
    {
      config: elementEdit,
      schema: {
        operationId: "updateNpsSettings",
        tags: ["Elements"],
        summary: "Change what an NPS question asks about",
        description: "Only given fields change. The question's text is the standard sentence about the subject.",
        params: elementParams,
        body: documentedNpsSettings,
        response: { 200: envelope("The updated question", elementSchema) },
      },
    },
    (_request, reply) => respondWithEdited(context, reply, "npsSettings"),
  );
}
