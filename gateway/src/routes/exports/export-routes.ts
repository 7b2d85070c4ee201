import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerCreateDownloadRoute } from "./create-download.ts";
import { registerCreateExportRoute } from "./create-export.ts";
import { registerDeleteExportRoute } from "./delete-export.ts";
import { registerDownloadFileRoute } from "./download-file.ts";
import { registerGetExportRoute } from "./get-export.ts";

/** Exports of answers as files (contract 7.14). */
export function registerExportRoutes(api: Api, context: GatewayContext): void {
  registerCreateExportRoute(api, context);
  registerGetExportRoute(api, context);
  registerDeleteExportRoute(api, context);
  registerCreateDownloadRoute(api, context);
  registerDownloadFileRoute(api, context);
}
