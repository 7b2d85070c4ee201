import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { respondWithEdited, elementEdit } from "../elements/edit-element.ts";
import { documentedNpsLabel, elementParams } from "../elements/element-input.ts";
import { elementSchema } from "../elements/element-view.ts";
import { envelope } from "../schemas.ts";

export function registerUpdateNpsLabelRoute(api: Api, context: GatewayContext): void {
  api.put(
    "/nps/:elementId/label",
    {
      config: elementEdit,
      schema: {
        operationId: "updateNpsLabel",
        tags: ["Elements"],
        summary: "Label an end of an NPS scale",
        description: "The left label is shown at 0, the right one at 10.",
        params: elementParams,
        body: documentedNpsLabel,
        response: { 200: envelope("The updated question", elementSchema) },
      },
    },
    (_request, reply) => respondWithEdited(context, reply, "npsLabel"),
  );
}
