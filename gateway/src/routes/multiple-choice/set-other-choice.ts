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
        summary: "Switch the open choice Other on or off",
        description:
          "Its id stays the same however often it is switched; see `settings.typeSettings.other` of the question.",
        params: elementParams,
        body: documentedOther,
        response: { 200: envelope("The question as it now is", elementSchema) },
      },
    },
    (_request, reply) => respondWithEdited(context, reply, "other"),
  );
}
