import { AppError, groupFaults, validationFailed, type Fault } from "@canvass/errors";
import { checkShape, isJsonObject, isStorable } from "@canvass/questions";
import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";

/** At most this many answers in one submission (api-decisions 4). */
export const maxAnswers = 500;
const maxMetaBytes = 4096;

const idText = Type.String({ minLength: 1, maxLength: 64, description: "an id" });
const answerKeyText = Type.String({ minLength: 1, maxLength: 64, description: "an element id" });
const jsonObject = Type.Record(Type.String(), Type.Unknown(), { description: "an object" });

const submittedAnswerSchema = Type.Object(
  {
    elementId: answerKeyText,
    type: Type.Optional(Type.Union([Type.String(), Type.Integer()], { description: "the question's type" })),
    value: Type.Unknown(),
    meta: Type.Optional(jsonObject),
  },
  { additionalProperties: false },
);

/** The body of `POST /response/surveys/{id}` (spec 4.5). */
export const submissionSchema = Type.Object(
  {
    respondentId: idText,
    responses: Type.Array(submittedAnswerSchema, { maxItems: maxAnswers }),
    pageId: Type.Optional(Type.Union([idText, Type.Null()])),
    metadata: Type.Optional(jsonObject),
  },
  { additionalProperties: false },
);

export type SubmissionBody = Static<typeof submissionSchema>;
export type SubmittedAnswer = SubmissionBody["responses"][number];

const validator = Compile(submissionSchema);

/**
 * Reads a submission's body. Throws `invalid_request` without a respondent id (spec 4.5), and `validation_failed`
 * naming everything that has the wrong shape.
 */
export function parseSubmission(bodyJson: string): SubmissionBody {
  const body: unknown = JSON.parse(bodyJson);
  if (isJsonObject(body) && isMissing(body["respondentId"])) {
    throw new AppError("invalid_request", groupFaults([{ path: "respondentId", message: "is required" }]));
  }
  // The quick check lets good bodies through without building a list of faults.
  const faults: Fault[] = [];
  if (!validator.Check(body)) checkShape(submissionSchema, body, "", faults);
  else checkContents(body, faults);
  if (faults.length > 0) throw validationFailed(faults);
  return body as SubmissionBody;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function checkContents(body: SubmissionBody, faults: Fault[]): void {
  // PostgreSQL could not even be asked for it.
  if (!isStorable(body.respondentId)) faults.push({ path: "respondentId", message: "must be an id" });
  if (body.responses.length === 0 && isMissing(body.pageId) && body.metadata === undefined) {
    faults.push({ path: "responses", message: "must have at least one answer" });
  }
  body.responses.forEach(({ meta }, index) => {
    if (meta !== undefined) checkStoredObject(meta, `responses.${index}.meta`, faults);
  });
  if (body.metadata !== undefined) checkStoredObject(body.metadata, "metadata", faults);
}

/** Faults of an object that is stored as it came: at most 4 KiB, and text that PostgreSQL can hold. */
export function checkStoredObject(value: object, path: string, faults: Fault[]): void {
  if (Buffer.byteLength(JSON.stringify(value)) > maxMetaBytes) {
    faults.push({ path, message: "must be at most 4 KiB of JSON" });
  } else if (!isStorableJson(value)) {
    faults.push({ path, message: "must not contain NUL characters or broken surrogate pairs" });
  }
}

function isStorableJson(value: unknown): boolean {
  if (typeof value === "string") return isStorable(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorableJson(item));
}
