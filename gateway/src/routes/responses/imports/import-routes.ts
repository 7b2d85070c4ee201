import { mostCsvBytes } from "@canvass/inputs";
import type { GatewayContext } from "../../../context.ts";
import { acceptCsvBodies } from "../../../plugins/body/accept-csv-bodies.ts";
import type { Api } from "../../api.ts";
import { registerGetResponseImportRoute } from "./get-import.ts";
import { registerImportResponsesRoute } from "./import-responses.ts";

/** Imports of answers (contract 7.22). */
export function registerResponseImportRoutes(api: Api, context: GatewayContext): void {
  registerGetResponseImportRoute(api, context);
  // In its own scope: only this route accepts CSV bodies.
  void api.register(async (scope: Api) => {
    acceptCsvBodies(scope, context.bodyPermits, mostCsvBytes);
    registerImportResponsesRoute(scope, context);
  });
}
