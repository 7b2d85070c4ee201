import { randomUUID } from "node:crypto";
import { OperationalError } from "@canvass/provisioning/operational-error";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { HttpApi } from "../http-api/http-api.ts";
import { publishedVersion } from "./published-version.ts";
import { sampleBatches } from "./sample-submissions.ts";
import { submitSamples, type Submitted } from "./submit-samples.ts";

export type FillWish = {
  surveyId: string;
  responses: number;
  concurrency: number;
  /** The same seed gives the same respondents to the same version, with any concurrency. */
  seed: number;
  stop: AbortSignal;
  onProgress?: (respondents: number) => void;
};

export type Filled = {
  surveyId: string;
  versionNumber: number;
  seed: number;
  respondents: number;
  completed: number;
  answers: number;
  failed: number;
  /** The message of the API's first error; null without one. */
  refusal: string | null;
  stopped: boolean;
};

export async function fillSurvey(api: HttpApi, wish: FillWish): Promise<Filled> {
  const { surveyId, responses: count, concurrency, seed, stop, onProgress = () => {} } = wish;
  const { definition, versionNumber } = await publishedVersion(api, surveyId);
  const filled: Filled = { surveyId, versionNumber, seed, ...nobody, stopped: false };
  const generator = xoroshiro128plus(seed);
  const random = () => uniformFloat64(generator);
  const size = Math.ceil(count / concurrency);
  const batches = sampleBatches(definition, { count, size, run: randomUUID(), random });
  const halt = new AbortController();
  const ended = AbortSignal.any([stop, halt.signal]);

  async function work(): Promise<void> {
    for (let next = batches.next(); !next.done; next = batches.next()) {
      const submitted = await submitSamples(api, surveyId, next.value, ended);
      for (const one of submitted) countOne(filled, one);
      onProgress(filled.respondents);
      if (submitted.every(({ error }) => error !== null)) halt.abort();
      if (ended.aborted) return;
    }
  }

  const endings = await Promise.allSettled(
    Array.from({ length: concurrency }, () =>
      work().catch((error: unknown) => {
        if (ended.aborted) return;
        halt.abort();
        throw error;
      }),
    ),
  );
  filled.stopped = stop.aborted;
  const failure = endings.find((ending) => ending.status === "rejected");
  if (failure) throw withCount(failure.reason, filled.respondents);
  return filled;
}

const nobody = { respondents: 0, completed: 0, answers: 0, failed: 0, refusal: null };

function countOne(filled: Filled, { respondent, error }: Submitted): void {
  if (error) {
    filled.failed += 1;
    filled.refusal ??= `${error.message} ${error.suggestion}`.trim();
    return;
  }
  filled.respondents += 1;
  filled.completed += Number(respondent.completes);
  filled.answers += respondent.answers;
}

function withCount(error: unknown, respondents: number): unknown {
  if (!(error instanceof OperationalError) || respondents === 0) return error;
  error.message += ` ${respondents} respondents are in.`;
  return error;
}
