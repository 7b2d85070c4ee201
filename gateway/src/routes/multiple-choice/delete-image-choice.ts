import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { choiceParams } from "../elements/element-input.ts";
import { envelope } from "../schemas.ts";
import {
  deleteChoiceAndRespond,
  deleteChoiceConfig,
  deletedChoiceDescription,
  deletedChoiceSchema,
} from "./delete-choice-and-respond.ts";

export function registerDeleteImageChoiceRoute(api: Api, context: GatewayContext): void {
  api.delete(
    "/multiple-choice/:elementId/image-choice/:choiceId",
    {
      config: deleteChoiceConfig,
      schema: {
        operationId: "deleteImageChoice",
        tags: ["Elements"],
        summary: "Delete a choice of an image choice question",
        description: deletedChoiceDescription,
        params: choiceParams,
        response: { 200: envelope("What became of it", deletedChoiceSchema) },
      },
    },
    (request, reply) => deleteChoiceAndRespond(context, reply, request.params.choiceId, "deleteImageChoice"),
  );
}
