import { mostBatchItems } from "@canvass/inputs";
import { mostAnswers, sampleRespondent, type Random, type SurveyDefinition } from "@canvass/questions";

type SampleAnswer = { elementId: string; value: unknown };

export type Submission = {
  responses: SampleAnswer[];
  pageId?: string;
  metadata: { complete: boolean };
  idempotencyKey: string;
};

/** A respondent's submissions, to be sent in order. One is enough unless its answers exceed a limit. */
export type SampleSubmissions = { submissions: Submission[]; bytes: number; answers: number; completes: boolean };

/** Below the API's limit of 1 MiB, because a body also has other fields. */
const mostBytes = 900_000;
const bytesAroundAnswers = 400;

/**
 * Yields batches of respondents whose first submissions fit into one request, their second ones into another, and so
 * on. `run` distinguishes the idempotency keys from those of other runs.
 */
export function* sampleBatches(
  definition: SurveyDefinition,
  { count, size, run, random }: { count: number; size: number; run: string; random: Random },
): Generator<SampleSubmissions[], void> {
  let batch: SampleSubmissions[] = [];
  let bytes = 0;
  for (let number = 1; number <= count; number++) {
    const respondent = submissionsOf(definition, `${run}-${number}`, random);
    if (batch.length >= Math.min(size, mostBatchItems) || bytes + respondent.bytes > mostBytes) {
      if (batch.length > 0) yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(respondent);
    bytes += respondent.bytes;
  }
  if (batch.length > 0) yield batch;
}

function submissionsOf(definition: SurveyDefinition, key: string, random: Random): SampleSubmissions {
  const { answers, pageId, completes } = sampleRespondent(definition, random);
  const { chunks, bytes } = inChunks([...answers].map(([elementId, value]) => ({ elementId, value })));
  const submissions = chunks.map((responses, index): Submission => {
    const isLast = index === chunks.length - 1;
    const place = isLast && pageId !== null ? { pageId } : {};
    return { responses, ...place, metadata: { complete: isLast && completes }, idempotencyKey: `${key}-${index}` };
  });
  return { submissions, bytes, answers: answers.size, completes };
}

function inChunks(answers: readonly SampleAnswer[]): { chunks: SampleAnswer[][]; bytes: number } {
  const chunks: SampleAnswer[][] = [[]];
  let [bytes, filled] = [bytesAroundAnswers, 0];
  for (const answer of answers) {
    const size = Buffer.byteLength(JSON.stringify(answer)) + 1;
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
