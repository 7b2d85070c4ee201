import { ElementKind } from "@canvass/proto/survey-elements";
import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { elementParams } from "../elements/element-input.ts";
import { elementSchema } from "../elements/element-view.ts";
import { respondWithElement, elementRead } from "../elements/read-element.ts";
import { envelope } from "../schemas.ts";

export function registerGetMultipleChoiceRoute(api: Api, context: GatewayContext): void {
  api.get(
    "/multiple-choice/:elementId",
    {
      config: elementRead,
      schema: {
        operationId: "getMultipleChoice",
        tags: ["Elements"],
        summary: "Get a question with choices",
        description:
          "Returns a question of any type with choices: multiple choice, dropdown, image choice, ranking, constant sum.",
        params: elementParams,
        response: { 200: envelope("The question in the draft", elementSchema) },
      },
    },
    (request, reply) => respondWithElement(context, reply, request.params.elementId, ElementKind.CHOICES),
  );
}
