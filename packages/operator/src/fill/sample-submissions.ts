import { mostBatchItems } from "@canvass/inputs";
import {
  mostAnswers,
  sampleFields,
  sampleRespondent,
  type FieldValue,
  type Random,
  type SurveyDefinition,
} from "@canvass/questions";

type SampleAnswer = { elementId: string; value: unknown };

export type Submission = {
  responses: SampleAnswer[];
  pageId?: string;
  metadata: { complete: boolean; language: string };
  /** Values of hidden fields; only in the first submission of a respondent. */
  fields?: Record<string, FieldValue>;
  idempotencyKey: string;
};

/** A respondent's submissions, to be sent in order. One is enough unless its answers exceed a limit. */
export type SampleSubmissions = {
  submissions: Submission[];
  language: string;
  bytes: number;
  answers: number;
  completes: boolean;
  /** The element at which no sample is valid. */
  stuckAt: string | null;
};

export type SampleOptions = {
  count: number;
  size: number;
  /** Makes the idempotency keys unique to this run. */
  run: string;
  random: Random;
  /** Respondents are spread over them. */
  languages: readonly string[];
  /** Values of hidden fields that all respondents have; others are random. */
  fields: Record<string, FieldValue>;
};

/** Below the API's limit of 1 MiB, because a body also has other fields. */
const mostBytes = 900_000;
const bytesAroundAnswers = 400;

/**
 * Yields batches of respondents whose first submissions fit into one request, their second ones into another, and so
 * on.
 */
export function* sampleBatches(
  definition: SurveyDefinition,
  options: SampleOptions,
): Generator<SampleSubmissions[], void> {
  const { count, size, run } = options;
  let batch: SampleSubmissions[] = [];
  let bytes = 0;
  for (let number = 1; number <= count; number++) {
    const respondent = submissionsOf(definition, `${run}-${number}`, options);
    if (batch.length >= Math.min(size, mostBatchItems) || bytes + respondent.bytes > mostBytes) {
      if (batch.length > 0) yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(respondent);
    bytes += respondent.bytes;
  }
  if (batch.length > 0) yield batch;
}

function submissionsOf(
  definition: SurveyDefinition,
  key: string,
  { random, languages, fields: given }: SampleOptions,
): SampleSubmissions {
  const language = languages.length > 1 ? languages[Math.floor(random() * languages.length)]! : languages[0]!;
  const fields = definition.fields && { ...sampleFields(definition.fields, random), ...given };
  const { answers, pageId, completes, stuckAt } = sampleRespondent(definition, random, {
    fields: fields ?? {},
    language,
  });
  const { chunks, bytes } = inChunks([...answers].map(([elementId, value]) => ({ elementId, value })));
  const submissions = chunks.map((responses, index): Submission => {
    const isLast = index === chunks.length - 1;
    const place = isLast && pageId !== null ? { pageId } : {};
    const metadata = { complete: isLast && completes, language };
    const start = index === 0 && fields ? { fields } : {};
    return { responses, ...start, ...place, metadata, idempotencyKey: `${key}-${index}` };
  });
  return { submissions, language, bytes: bytes + jsonBytes(fields ?? {}), answers: answers.size, completes, stuckAt };
}

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

function inChunks(answers: readonly SampleAnswer[]): { chunks: SampleAnswer[][]; bytes: number } {
  const chunks: SampleAnswer[][] = [[]];
  let [bytes, filled] = [bytesAroundAnswers, 0];
  for (const answer of answers) {
    const size = jsonBytes(answer) + 1;
    if (chunks.at(-1)!.length >= mostAnswers || filled + size > mostBytes) {
      chunks.push([]);
      filled = 0;
    }
    chunks.at(-1)!.push(answer);
    filled += size;
    bytes += size;
  }
  return { chunks, bytes };
}
