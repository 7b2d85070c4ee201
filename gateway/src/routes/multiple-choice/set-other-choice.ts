import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { respondWithEdited, elementEdit } from "../elements/edit-element.ts";
import { documentedOther, elementParams } from "../elements/element-input.ts";
import { elementSchema } from "../elements/element-view.ts";
import { envelope } from "../schemas.ts";

export function registerSetOtherChoiceRoute(api: Api, context: GatewayContext): void {
  api.put(
    "/multiple-choice/:elementId/other",
    {
      config: elementEdit,
      schema: {
        operationId: "setOtherChoice",
        tags: ["Elements"],
        summary: "Turn the choice Other on or off",
        description:
          "The id of Other never changes, even if it is turned off and on; see `settings.typeSettings.other` of the question.",
        params: elementParams,
        body: documentedOther,
        response: { 200: envelope("The updated question", elementSchema) },
      },
    },
    (_request, reply) => respondWithEdited(context, reply, "other"),
  );
}
