import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerDeleteElementRoute } from "./delete-element.ts";
import { registerGetElementRoute } from "./get-element.ts";
import { registerReplaceElementSettingsRoute } from "./replace-element-settings.ts";

/** Single questions of drafts (contract 6.5, 6.8, 6.11). */
export function registerElementRoutes(api: Api, context: GatewayContext): void {
  registerGetElementRoute(api, context);
  registerDeleteElementRoute(api, context);
  registerReplaceElementSettingsRoute(api, context);
}
