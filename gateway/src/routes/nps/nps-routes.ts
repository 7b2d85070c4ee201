import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerGetNpsRoute } from "./get-nps.ts";
import { registerUpdateNpsLabelRoute } from "./update-nps-label.ts";
import { registerUpdateNpsSettingsRoute } from "./update-nps-settings.ts";

/** NPS questions (contract 6.8). */
export function registerNpsRoutes(api: Api, context: GatewayContext): void {
  registerGetNpsRoute(api, context);
  registerUpdateNpsLabelRoute(api, context);
  registerUpdateNpsSettingsRoute(api, context);
}
