import { AppError } from "@canvass/errors";
import {
  type Violation,
  groupViolations,
  joinViolations,
  readObject,
  shapeViolations,
  validationFailed,
} from "@canvass/inputs";
import { isJsonObject, type JsonObject } from "@canvass/values";
import {
  answerInput,
  batchItem,
  linkSubmissionBody,
  submissionBody,
  type BatchItemInput,
  type SubmissionInput,
  type SubmittedAnswer,
} from "@canvass/questions";

export interface SubmissionBody extends Omit<SubmissionInput, "responses"> {
  /** Null at the index of an item that is no answer, which the violations report. */
  responses: (SubmittedAnswer | null)[];
  /** Violations of the shape. Such a submission is validated to report all its violations, and refused. */
  violations?: readonly Violation[];
}

/** Throws `invalid_request` without a respondent id (contract 7.2), `validation_failed` if the rest is unusable. */
export function parseSubmission(bodyJson: string): SubmissionBody {
  const input = readObject(bodyJson);
  if (isMissing(input["respondentId"])) throw withoutRespondent(input);
  return readSubmission(input, submissionBody);
}

export function parseLinkSubmission(bodyJson: string, respondentId: string): SubmissionBody {
  return readSubmission(readObject(bodyJson), linkSubmissionBody, { respondentId });
}

export interface BatchItem {
  body: SubmissionBody;
  startsRespondent: boolean;
  /** Values of hidden fields that a new respondent starts with. */
  fields: JsonObject;
}

export function readBatchItem(input: unknown): BatchItem {
  const startsRespondent = isJsonObject(input) && !Object.hasOwn(input, "respondentId");
  const added = startsRespondent ? { respondentId: "" } : {};
  const { idempotencyKey: _, fields, ...body } = readSubmission(input, batchItem, added);
  const misplaced =
    fields && !startsRespondent ? [{ path: "fields", message: "are those of a start: without respondentId" }] : [];
  return { body: withViolations(body, misplaced), startsRespondent, fields: fields ?? {} };
}

type SubmissionSchema = typeof submissionBody | typeof linkSubmissionBody | typeof batchItem;

function readSubmission(
  input: unknown,
  schema: SubmissionSchema,
  added: { respondentId?: string } = {},
): SubmissionBody & Pick<BatchItemInput, "idempotencyKey" | "fields"> {
  const violations = shapeViolations(schema, input);
  const body = {
    ...(violations.length === 0 ? (input as SubmissionBody) : wellFormedPart(input, schema, violations)),
    ...added,
  };
  if (saysNothing(body)) violations.push({ path: "responses", message: "must have at least one answer" });
  if (!isValidatable(body)) throw validationFailed(violations);
  return withViolations(body, violations);
}

/** Adds violations that are reported with those of the answers. */
export function withViolations<Body extends SubmissionBody>(body: Body, added: readonly Violation[]): Body {
  return added.length === 0 ? body : { ...body, violations: [...(body.violations ?? []), ...added] };
}

function isValidatable(body: Partial<SubmissionBody>): body is SubmissionBody {
  return body.responses !== undefined && body.respondentId !== undefined;
}

function saysNothing({ responses, pageId, metadata }: Partial<SubmissionBody>): boolean {
  return responses?.length === 0 && isMissing(pageId) && metadata === undefined;
}

function withoutRespondent(input: object): AppError {
  const others = shapeViolations(submissionBody, input);
  const violations = [{ path: "respondentId", message: "is required" }];
  return new AppError("invalid_request", groupViolations(joinViolations(violations, others)));
}

function wellFormedPart(
  input: unknown,
  schema: SubmissionSchema,
  violations: readonly Violation[],
): Partial<SubmissionBody> {
  if (!isJsonObject(input)) return {};
  const wrong = new Set(violations.map(({ path }) => path));
  const { responses, ...fields } = wellFormedFields(input as SubmissionInput, schema, "", wrong);
  if (responses === undefined) return fields;
  return {
    ...fields,
    responses: responses.map((answer, index) => wellFormedAnswer(answer, `responses.${index}`, wrong)),
  };
}

function wellFormedAnswer(answer: SubmittedAnswer, path: string, wrong: ReadonlySet<string>): SubmittedAnswer | null {
  if (wrong.has(path)) return null;
  const { elementId, value, ...rest } = wellFormedFields(answer, answerInput, `${path}.`, wrong);
  return elementId === undefined ? null : { ...rest, elementId, value };
}

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

/** Violations of the shape take precedence over other errors. */
export function preferShapeViolations({ violations }: SubmissionBody, error: AppError): AppError {
  return violations && error.code !== "validation_failed" ? validationFailed(violations) : error;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
