import type { GatewayContext } from "../../context.ts";
import { acceptUploadBodies } from "../../plugins/body/uploads.ts";
import type { Api } from "../api.ts";
import { registerCreateFileDownloadRoute } from "./create-file-download.ts";
import { registerUploadFileRoute } from "./upload-file.ts";

/** Files of respondents (contract 7.19). */
export function registerFileRoutes(api: Api, context: GatewayContext): void {
  registerCreateFileDownloadRoute(api, context);
  void api.register(async (scope: Api) => {
    acceptUploadBodies(scope);
    registerUploadFileRoute(scope, context);
  });
}
