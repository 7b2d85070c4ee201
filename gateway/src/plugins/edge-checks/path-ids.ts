import { AppError, type ErrorCode } from "@canvass/errors";
import { isId } from "@canvass/inputs";

/** What an id in the path that cannot exist is answered with: the same as one that does not (contract 2.6). */
const absent: Record<string, ErrorCode> = {
  tokenId: "token_not_found",
  surveyId: "survey_not_found",
  respondentId: "respondent_not_found",
  subscriptionId: "subscription_not_found",
};

/** A missing id (contract 2.4), e.g. of `GET /surveys/`; undefined when all are there. */
export function missingId(params: Record<string, string>): AppError | undefined {
  for (const name in params) {
    if (params[name] === "") return new AppError("invalid_request", { [name]: ["is required"] });
  }
  return undefined;
}

/** The answer to the first id (`…Id`) that has not the form of one; undefined when all have. */
export function impossibleId(params: Record<string, string>): AppError | undefined {
  for (const name in params) {
    if (name.endsWith("Id") && !isId(params[name]!)) return new AppError(absent[name] ?? "route_not_found");
  }
  return undefined;
}
