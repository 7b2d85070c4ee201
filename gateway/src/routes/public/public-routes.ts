import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerGetLinkRoute } from "./get-link.ts";
import { registerGetLinkRespondentRoute } from "./get-link-respondent.ts";
import { registerStartLinkRespondentRoute } from "./start-link-respondent.ts";
import { registerUploadLinkFileRoute } from "./upload-link-file.ts";
import { registerSubmitLinkAnswersRoute } from "./submit-link-answers.ts";

export function registerPublicRoutes(api: Api, context: GatewayContext): void {
  registerGetLinkRoute(api, context);
  registerStartLinkRespondentRoute(api, context);
  registerGetLinkRespondentRoute(api, context);
  registerSubmitLinkAnswersRoute(api, context);
  registerUploadLinkFileRoute(api, context);
}
