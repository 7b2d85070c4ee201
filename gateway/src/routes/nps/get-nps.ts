import { ElementKind } from "@canvass/proto/survey-elements";
import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { elementParams } from "../elements/element-input.ts";
import { elementSchema } from "../elements/element-view.ts";
import { respondWithElement, elementRead } from "../elements/read-element.ts";
import { envelope } from "../schemas.ts";

export function registerGetNpsRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/nps/:elementId",
    {
      config: elementRead,
      schema: {
        operationId: "getNps",
        tags: ["Elements"],
        summary: "Get an NPS question",
        description: "The text of the question is the standard sentence about its subject.",
        params: elementParams,
        response: { 200: envelope("The question in the draft", elementSchema) },
      },
    },
    (request, reply) => respondWithElement(context, reply, request.params.elementId, ElementKind.NPS),
  );
}
