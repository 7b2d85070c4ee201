import { AppError } from "@canvass/errors";
import { type Fault, groupFaults, joinFaults, readObject, shapeFaults, validationFailed } from "@canvass/inputs";
import { isJsonObject } from "@canvass/values";
import {
  answerInput,
  batchItem,
  linkSubmissionBody,
  submissionBody,
  type SubmissionInput,
  type SubmittedAnswer,
} from "@canvass/questions";

/** A submission as it was read. */
export interface SubmissionBody extends Omit<SubmissionInput, "responses"> {
  /** At the places they were sent in; null: not an answer, which is among the faults. */
  responses: (SubmittedAnswer | null)[];
  /** What is wrong with its shape; such a submission is judged whole, so that all its faults are named, and refused. */
  faults?: readonly Fault[];
}

/**
 * Reads a submission's body. Throws `invalid_request` without a respondent id (contract 7.2), and `validation_failed` for
 * what leaves no respondent or no answers to judge.
 */
export function parseSubmission(bodyJson: string): SubmissionBody {
  const input = readObject(bodyJson);
  if (isMissing(input["respondentId"])) throw withoutRespondent(input);
  return readSubmission(input, submissionBody);
}

/** Reads the body of a respondent that came by a link. Throws `validation_failed` for what leaves no answers to judge. */
export function parseLinkSubmission(bodyJson: string, respondentId: string): SubmissionBody {
  return readSubmission(readObject(bodyJson), linkSubmissionBody, { respondentId });
}

/** One submission of a batch. */
export interface BatchItem {
  /** Without `respondentId` when a respondent starts with it. */
  body: SubmissionBody;
  startsRespondent: boolean;
}

/** Reads one submission of a batch. Throws `validation_failed` for what leaves no answers to judge. */
export function readBatchItem(input: unknown): BatchItem {
  const startsRespondent = isJsonObject(input) && !Object.hasOwn(input, "respondentId");
  const { idempotencyKey: _, ...body } = readSubmission(input, batchItem, startsRespondent ? { respondentId: "" } : {});
  return { body, startsRespondent };
}

type SubmissionSchema = typeof submissionBody | typeof linkSubmissionBody | typeof batchItem;

/** `added`: what the body need not say. */
function readSubmission(
  input: unknown,
  schema: SubmissionSchema,
  added: { respondentId?: string } = {},
): SubmissionBody & { idempotencyKey?: string } {
  const faults = shapeFaults(schema, input);
  const body = {
    ...(faults.length === 0 ? (input as SubmissionBody) : wellFormedPart(input, schema, faults)),
    ...added,
  };
  if (saysNothing(body)) faults.push({ path: "responses", message: "must have at least one answer" });
  if (!isJudgeable(body)) throw validationFailed(faults);
  return faults.length > 0 ? { ...body, faults } : body;
}

function isJudgeable(body: Partial<SubmissionBody>): body is SubmissionBody {
  return body.responses !== undefined && body.respondentId !== undefined;
}

/** Neither answers nor progress nor a word about completion. */
function saysNothing({ responses, pageId, metadata }: Partial<SubmissionBody>): boolean {
  return responses?.length === 0 && isMissing(pageId) && metadata === undefined;
}

function withoutRespondent(input: object): AppError {
  const others = shapeFaults(submissionBody, input);
  const faults = [{ path: "respondentId", message: "is required" }];
  return new AppError("invalid_request", groupFaults(joinFaults(faults, others)));
}

/** What can be judged of a body of the wrong shape. */
function wellFormedPart(input: unknown, schema: SubmissionSchema, faults: readonly Fault[]): Partial<SubmissionBody> {
  if (!isJsonObject(input)) return {};
  const wrong = new Set(faults.map(({ path }) => path));
  const { responses, ...fields } = wellFormedFields(input as SubmissionInput, schema, "", wrong);
  if (responses === undefined) return fields;
  return {
    ...fields,
    responses: responses.map((answer, index) => wellFormedAnswer(answer, `responses.${index}`, wrong)),
  };
}

/** An answer to a question that is named; a `value` that is left out is undefined. */
function wellFormedAnswer(answer: SubmittedAnswer, path: string, wrong: ReadonlySet<string>): SubmittedAnswer | null {
  if (wrong.has(path)) return null;
  const { elementId, value, ...rest } = wellFormedFields(answer, answerInput, `${path}.`, wrong);
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
