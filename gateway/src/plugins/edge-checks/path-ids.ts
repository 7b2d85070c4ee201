import { AppError, type ErrorCode } from "@canvass/errors";
import { isId } from "@canvass/values";

/** The error for a malformed id in a path, the same as for an absent one (contract 2.6). */
const absent: Record<string, ErrorCode> = {
  tokenId: "token_not_found",
  surveyId: "survey_not_found",
  elementId: "element_not_found",
  pageId: "page_not_found",
  choiceId: "choice_not_found",
  respondentId: "respondent_not_found",
  subscriptionId: "subscription_not_found",
  backupId: "backup_not_found",
  versionId: "version_not_found",
  distributorId: "distributor_not_found",
  exportId: "export_not_found",
  fileId: "file_not_found",
  contactId: "contact_not_found",
  importId: "import_not_found",
  eventId: "event_not_found",
};

/** The service checks it, because it first refuses deliveries of a feed, whatever the id is. */
const checkedByService = "deliveryId";

/** Returns an error for a missing id (contract 2.4), as in `GET /surveys/`. */
export function missingIdError(params: Record<string, string>): AppError | undefined {
  for (const name in params) {
    if (params[name] === "") return new AppError("invalid_request", { [name]: ["is required"] });
  }
  return undefined;
}

/** Returns the error for an id that cannot exist: the same as for an absent one. */
export function impossibleIdError(params: Record<string, string>): AppError | undefined {
  for (const name in params) {
    if (name.endsWith("Id") && name !== checkedByService && !isId(params[name]!))
      return new AppError(absent[name] ?? "route_not_found");
  }
  return undefined;
}
