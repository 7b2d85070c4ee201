import { AppError } from "@canvass/errors";
import { npsResponseBody, readBody } from "@canvass/inputs";
import type { SubmissionBody } from "./submission.ts";

/** Parses `POST /nps/{id}/response` (contract 7.8) as a submission of one score. Throws `validation_failed`. */
export function parseNpsSubmission(bodyJson: string, elementId: string): SubmissionBody {
  const { respondentId, score, comment } = readBody(npsResponseBody, bodyJson);
  const meta = comment === undefined ? {} : { meta: { comment } };
  return { respondentId, responses: [{ elementId, type: "nps", value: score, ...meta }] };
}

const places = [
  [/^responses\.0\.value/, "score"],
  [/^responses\.0\.meta/, "comment"],
  [/^responses\.0(?:\.elementId)?$/, "elementId"],
] as const;

export function asNpsRefusal(error: AppError): AppError {
  if (error.code !== "validation_failed") return error;
  const details = Object.entries(error.details).map(([path, messages]) => {
    const place = places.find(([pattern]) => pattern.test(path));
    return [place?.[1] ?? path, messages];
  });
  return new AppError(error.code, Object.fromEntries(details) as AppError["details"]);
}
