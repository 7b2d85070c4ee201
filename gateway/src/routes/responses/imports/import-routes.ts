import { mostCsvBytes } from "@canvass/inputs";
import type { GatewayContext } from "../../../context.ts";
import { csvBodies } from "../../../plugins/body/csv-bodies.ts";
import type { Api } from "../../api.ts";
import { registerGetResponseImportRoute } from "./get-import.ts";
import { registerImportResponsesRoute } from "./import-responses.ts";

/** Imports of answers (contract 7.22). */
export function registerResponseImportRoutes(api: Api, context: GatewayContext): void {
  registerGetResponseImportRoute(api, context);
  // In a scope of its own: only this route accepts CSV bodies.
  void api.register(async (own: Api) => {
    csvBodies(own, context.bodies, mostCsvBytes);
    registerImportResponsesRoute(own, context);
  });
}
