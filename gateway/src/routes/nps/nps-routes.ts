import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerGetNpsRoute } from "./get-nps.ts";
import { registerGetNpsResponseRoute } from "./get-nps-response.ts";
import { registerSubmitNpsResponseRoute } from "./submit-nps-response.ts";
import { registerUpdateNpsLabelRoute } from "./update-nps-label.ts";
import { registerUpdateNpsSettingsRoute } from "./update-nps-settings.ts";

/** NPS questions and single answers to them (contract 6.8, 7.2). */
export function registerNpsRoutes(api: Api, context: GatewayContext): void {
  registerGetNpsRoute(api, context);
  registerUpdateNpsLabelRoute(api, context);
  registerUpdateNpsSettingsRoute(api, context);
  registerGetNpsResponseRoute(api, context);
  registerSubmitNpsResponseRoute(api, context);
}
