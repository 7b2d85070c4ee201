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
        description: "Returns it with all settings and entries. Answers do not change the ETag.",
        params: elementParams,
        response: { 200: envelope("The element in the draft", elementSchema) },
      },
    },
    (request, reply) => respondWithElement(context, reply, request.params.elementId, ElementKind.UNSPECIFIED),
  );
}
