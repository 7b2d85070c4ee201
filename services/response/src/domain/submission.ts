import { AppError } from "@canvass/errors";
import {
  checkShape,
  type Fault,
  groupFaults,
  isJsonObject,
  isStorable,
  joinFaults,
  validationFailed,
} from "@canvass/inputs";
import Type, { type Static } from "typebox";
import { Compile } from "typebox/compile";

/** At most this many answers in one submission (contract 7.2). */
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

/** The body of `POST /response/surveys/{id}` (contract 7.2). */
export const submissionSchema = Type.Object(
  {
    respondentId: idText,
    responses: Type.Array(submittedAnswerSchema, { maxItems: maxAnswers }),
    pageId: Type.Optional(Type.Union([idText, Type.Null()])),
    metadata: Type.Optional(jsonObject),
  },
  { additionalProperties: false },
);

type SubmissionInput = Static<typeof submissionSchema>;
export type SubmittedAnswer = SubmissionInput["responses"][number];

/** A submission as it was read. */
export interface SubmissionBody extends Omit<SubmissionInput, "responses"> {
  /** At the places they were sent in; null: not an answer, which is among the faults. */
  responses: (SubmittedAnswer | null)[];
  /** What is wrong with its shape; such a submission is judged whole, so that all its faults are named, and refused. */
  faults?: readonly Fault[];
}

const validator = Compile(submissionSchema);

/**
 * Reads a submission's body. Throws `invalid_request` without a respondent id (contract 7.2), and `validation_failed` for
 * what leaves no respondent or no answers to judge.
 */
export function parseSubmission(bodyJson: string): SubmissionBody {
  const input: unknown = JSON.parse(bodyJson);
  if (isJsonObject(input) && isMissing(input["respondentId"])) throw withoutRespondent(input);
  // The quick check lets good bodies through without building a list of faults.
  const faults: Fault[] = [];
  const body = validator.Check(input) ? input : wellFormedPart(input, faults);
  checkContents(body, faults);
  if (!isJudgeable(body)) throw validationFailed(faults);
  return faults.length > 0 ? { ...body, faults } : body;
}

function isJudgeable(body: Partial<SubmissionBody>): body is SubmissionBody {
  return body.responses !== undefined && body.respondentId !== undefined && isStorable(body.respondentId);
}

function withoutRespondent(input: object): AppError {
  const others: Fault[] = [];
  checkShape(submissionSchema, input, "", others);
  const faults = [{ path: "respondentId", message: "is required" }];
  return new AppError("invalid_request", groupFaults(joinFaults(faults, others)));
}

/** What can be judged of a body of the wrong shape. */
function wellFormedPart(input: unknown, faults: Fault[]): Partial<SubmissionBody> {
  checkShape(submissionSchema, input, "", faults);
  if (!isJsonObject(input)) return {};
  const wrong = new Set(faults.map(({ path }) => path));
  const { responses, ...fields } = wellFormedFields(input as SubmissionInput, submissionSchema, "", wrong);
  if (responses === undefined) return fields;
  return {
    ...fields,
    responses: responses.map((answer, index) => wellFormedAnswer(answer, `responses.${index}`, wrong)),
  };
}

/** An answer to a question that is named; a `value` that is left out is undefined. */
function wellFormedAnswer(answer: SubmittedAnswer, path: string, wrong: ReadonlySet<string>): SubmittedAnswer | null {
  if (wrong.has(path)) return null;
  const { elementId, value, ...rest } = wellFormedFields(answer, submittedAnswerSchema, `${path}.`, wrong);
  return elementId === undefined ? null : { ...rest, elementId, value };
}

/** The fields that a schema knows and nothing is wrong with. */
function wellFormedFields<T extends object>(
  object: T,
  { properties }: { properties: object },
  prefix: string,
  wrong: ReadonlySet<string>,
): Partial<T> {
  const fields = Object.entries(object).filter(
    ([key]) => Object.hasOwn(properties, key) && !wrong.has(`${prefix}${key}`),
  );
  return Object.fromEntries(fields) as Partial<T>;
}

/** What is no submission is refused as that, before anything that could be said of it otherwise. */
export function shapeFirst({ faults }: SubmissionBody, error: AppError): AppError {
  return faults && error.code !== "validation_failed" ? validationFailed(faults) : error;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function checkContents({ respondentId, responses, pageId, metadata }: Partial<SubmissionBody>, faults: Fault[]): void {
  if (respondentId !== undefined && !isStorable(respondentId)) {
    // PostgreSQL could not even be asked for it.
    faults.push({ path: "respondentId", message: "must be an id" });
  }
  if (responses?.length === 0 && isMissing(pageId) && metadata === undefined) {
    faults.push({ path: "responses", message: "must have at least one answer" });
  }
  responses?.forEach((answer, index) => {
    if (answer?.meta !== undefined) checkStoredObject(answer.meta, `responses.${index}.meta`, faults);
  });
  if (metadata !== undefined) checkStoredObject(metadata, "metadata", faults);
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
