import { mostCsvBytes } from "@canvass/inputs";
import type { GatewayContext } from "../../context.ts";
import { acceptCsvBodies } from "../../plugins/body/accept-csv-bodies.ts";
import type { Api } from "../api.ts";
import { registerAnonymizeContactRoute } from "./anonymize-contact.ts";
import { registerCreateContactRoute } from "./create-contact.ts";
import { registerCreateCsvImportRoute } from "./create-csv-import.ts";
import { registerCreateImportRoute } from "./create-import.ts";
import { registerDeleteContactsRoute } from "./delete-contacts.ts";
import { registerGetContactRoute } from "./get-contact.ts";
import { registerGetImportRoute } from "./get-import.ts";
import { registerGetStatusSummaryRoute } from "./get-status-summary.ts";
import { registerListContactActivityRoute } from "./list-contact-activity.ts";
import { registerListContactsRoute } from "./list-contacts.ts";
import { registerUnsubscribeContactRoute } from "./unsubscribe-contact.ts";
import { registerUpdateContactRoute } from "./update-contact.ts";

/** Contacts of a workspace (contract 11). */
export function registerContactRoutes(api: Api, context: GatewayContext): void {
  registerListContactsRoute(api, context);
  registerCreateContactRoute(api, context);
  registerDeleteContactsRoute(api, context);
  registerGetStatusSummaryRoute(api, context);
  registerGetImportRoute(api, context);
  registerGetContactRoute(api, context);
  registerUpdateContactRoute(api, context);
  registerListContactActivityRoute(api, context);
  registerUnsubscribeContactRoute(api, context);
  registerAnonymizeContactRoute(api, context);
  // In their own scope: only these routes accept CSV bodies.
  void api.register(async (scope: Api) => {
    acceptCsvBodies(scope, context.bodyPermits, mostCsvBytes);
    registerCreateImportRoute(scope, context);
    registerCreateCsvImportRoute(scope, context);
  });
}
