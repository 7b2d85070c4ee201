import { ElementKind } from "@canvass/proto/survey-elements";
import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { envelope } from "../schemas.ts";
import { elementParams } from "./element-input.ts";
import { elementSchema } from "./element-view.ts";
import { respondWithElement, elementRead } from "./read-element.ts";

export function registerGetElementRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/elements/:elementId",
    {
      config: elementRead,
      schema: {
        operationId: "getElement",
        tags: ["Elements"],
        summary: "Get a question",
        description: "With all its settings and entries. The ETag does not change when somebody answers.",
        params: elementParams,
        response: { 200: envelope("The element as it stands in the draft", elementSchema) },
      },
    },
    (request, reply) => respondWithElement(context, reply, request.params.elementId, ElementKind.UNSPECIFIED),
  );
}
