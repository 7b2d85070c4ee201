import { AppError } from "@canvass/errors";
import { npsResponseBody, readBody } from "@canvass/inputs";
import type { SubmissionBody } from "./submission.ts";

/** The submission of one score, from the body of `POST /nps/{id}/response` (contract 7.8). Throws `validation_failed`. */
export function parseNpsSubmission(bodyJson: string, elementId: string): SubmissionBody {
  const { respondentId, score, comment } = readBody(npsResponseBody, bodyJson);
  const meta = comment === undefined ? {} : { meta: { comment } };
  return { respondentId, responses: [{ elementId, type: "nps", value: score, ...meta }] };
}

/** Where the parts of the one answer stand in the body. */
const places = [
  [/^responses\.0\.value/, "score"],
  [/^responses\.0\.meta/, "comment"],
  [/^responses\.0(?:\.elementId)?$/, "elementId"],
] as const;

/** The refusal of such a submission with its faults where the caller wrote what is at fault. */
export function asNpsRefusal(error: AppError): AppError {
  if (error.code !== "validation_failed") return error;
  const details = Object.entries(error.details).map(([path, messages]) => {
    const place = places.find(([pattern]) => pattern.test(path));
    return [place?.[1] ?? path, messages];
  });
  return new AppError(error.code, Object.fromEntries(details) as AppError["details"]);
}
