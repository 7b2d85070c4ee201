import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerCreateDistributorRoute } from "./create-distributor.ts";
import { registerDeleteDistributorRoute } from "./delete-distributor.ts";
import { registerGetDistributorRoute } from "./get-distributor.ts";
import { registerGetEmbedCodeRoute } from "./get-embed-code.ts";
import { registerGetQrCodeRoute } from "./get-qr-code.ts";
import { registerIssueLinksRoute } from "./issue-links.ts";
import { registerListDistributorsRoute } from "./list-distributors.ts";
import { registerListIssuedLinksRoute } from "./list-issued-links.ts";
import { registerDistributorStatusRoutes } from "./change-distributor-status.ts";
import { registerReplaceSettingsRoute } from "./replace-settings.ts";
import { registerUpdateDistributorRoute } from "./update-distributor.ts";

/** Links by which surveys reach people (contract 10). */
export function registerDistributionRoutes(api: Api, context: GatewayContext): void {
  registerListDistributorsRoute(api, context);
  registerCreateDistributorRoute(api, context);
  registerGetDistributorRoute(api, context);
  registerUpdateDistributorRoute(api, context);
  registerDeleteDistributorRoute(api, context);
  registerReplaceSettingsRoute(api, context);
  registerDistributorStatusRoutes(api, context);
  registerGetQrCodeRoute(api, context);
  registerGetEmbedCodeRoute(api, context);
  registerListIssuedLinksRoute(api, context);
  registerIssueLinksRoute(api, context);
}
