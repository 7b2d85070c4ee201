import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerGetRatingRoute } from "./get-rating.ts";
import { registerUpdateRatingLabelRoute } from "./update-rating-label.ts";
import { registerUpdateRatingSettingsRoute } from "./update-rating-settings.ts";

/** Ratings (contract 6.8). */
export function registerRatingRoutes(api: Api, context: GatewayContext): void {
  registerGetRatingRoute(api, context);
  registerUpdateRatingLabelRoute(api, context);
  registerUpdateRatingSettingsRoute(api, context);
}
