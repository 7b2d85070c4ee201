import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerDeleteChoiceRoute } from "./delete-choice.ts";
import { registerDeleteImageChoiceRoute } from "./delete-image-choice.ts";
import { registerGetMultipleChoiceRoute } from "./get-multiple-choice.ts";
import { registerOrderChoicesRoute } from "./order-choices.ts";
import { registerReplaceChoicesRoute } from "./replace-choices.ts";
import { registerSetOtherChoiceRoute } from "./set-other-choice.ts";
import { registerUpdateChoiceRoute } from "./update-choice.ts";

/** Questions with choices (contract 6.8). */
export function registerMultipleChoiceRoutes(api: Api, context: GatewayContext): void {
  registerGetMultipleChoiceRoute(api, context);
  registerUpdateChoiceRoute(api, context);
  registerReplaceChoicesRoute(api, context);
  registerOrderChoicesRoute(api, context);
  registerSetOtherChoiceRoute(api, context);
  registerDeleteChoiceRoute(api, context);
  registerDeleteImageChoiceRoute(api, context);
}
