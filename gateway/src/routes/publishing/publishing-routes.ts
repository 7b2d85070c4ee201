import type { GatewayContext } from "../../context.ts";
import type { Api } from "../api.ts";
import { registerCreateBackupRoute } from "./create-backup.ts";
import { registerGetAnswersSchemaRoute } from "./get-answers-schema.ts";
import { registerGetDraftRoute } from "./get-draft.ts";
import { registerGetLockRoute } from "./get-lock.ts";
import { registerGetVersionRoute } from "./get-version.ts";
import { registerListBackupsRoute } from "./list-backups.ts";
import { registerListChangesRoute } from "./list-changes.ts";
import { registerListVersionsRoute } from "./list-versions.ts";
import { registerRestoreBackupRoute } from "./restore-backup.ts";
import { registerRestoreVersionRoute } from "./restore-version.ts";
import { registerValidateDraftRoute } from "./validate-draft.ts";

/** Drafts, their backups, and versions (contract 6.10, 6.13, 6.15). */
export function registerPublishingRoutes(api: Api, context: GatewayContext): void {
  registerGetDraftRoute(api, context);
  registerListBackupsRoute(api, context);
  registerCreateBackupRoute(api, context);
  registerRestoreBackupRoute(api, context);
  registerValidateDraftRoute(api, context);
  registerListChangesRoute(api, context);
  registerGetLockRoute(api, context);
  registerListVersionsRoute(api, context);
  registerGetVersionRoute(api, context);
  registerGetAnswersSchemaRoute(api, context);
  registerRestoreVersionRoute(api, context);
}
