import { randomUUID } from "node:crypto";
import { OperationalError } from "@canvass/provisioning/operational-error";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { HttpApi } from "../http-api/http-api.ts";
import { chosenLanguages, givenFields } from "./fill-choices.ts";
import { FillTally, isRefused, type FillCounts } from "./fill-tally.ts";
import { publishedVersion } from "./published-version.ts";
import { sampleBatches } from "./sample-submissions.ts";
import { submitSamples } from "./submit-samples.ts";

export type FillOptions = {
  surveyId: string;
  responses: number;
  concurrency: number;
  /** The same seed gives the same respondents to the same version, with any concurrency. */
  seed: number;
  /** Of those in which the survey is offered; by default all of them. */
  languages?: string[] | undefined;
  /** Values of hidden fields that all respondents have; by default all values are random. */
  fields?: Iterable<readonly [name: string, text: string]> | undefined;
  stop: AbortSignal;
  onProgress?: (respondents: number) => void;
};

export type Filled = { surveyId: string; versionNumber: number; seed: number; stopped: boolean } & FillCounts;

export async function fillSurvey(api: HttpApi, options: FillOptions): Promise<Filled> {
  const { surveyId, responses: count, concurrency, seed, stop, onProgress = () => {} } = options;
  const version = await publishedVersion(api, surveyId);
  const { definition, versionNumber } = version;
  const languages = chosenLanguages(version, options.languages);
  const fields = givenFields(version, options.fields);
  const tally = new FillTally(definition);
  const generator = xoroshiro128plus(seed);
  const random = () => uniformFloat64(generator);
  const size = Math.ceil(count / concurrency);
  const batches = sampleBatches(definition, { count, size, run: randomUUID(), random, languages, fields });
  const halt = new AbortController();
  const ended = AbortSignal.any([stop, halt.signal]);

  async function work(): Promise<void> {
    for (let next = batches.next(); !next.done; next = batches.next()) {
      const submitted = await submitSamples(api, surveyId, next.value, ended);
      for (const one of submitted) tally.count(one);
      onProgress(tally.respondents);
      if (submitted.every(isRefused)) halt.abort();
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
  const failure = endings.find((ending) => ending.status === "rejected");
  if (failure) throw withCount(failure.reason, tally.respondents);
  return { surveyId, versionNumber, seed, ...tally.counts(), stopped: stop.aborted };
}

function withCount(error: unknown, respondents: number): unknown {
  if (!(error instanceof OperationalError) || respondents === 0) return error;
  error.message += ` ${respondents} respondents are in.`;
  return error;
}
