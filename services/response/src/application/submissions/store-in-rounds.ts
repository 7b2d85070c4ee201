import { AppError, orAppError } from "@canvass/errors";
import type { IdempotencyKey } from "@canvass/postgres";
import { findEarlierAnswers } from "@canvass/postgres/rpc";
import { batchVersions, versionKey, type VersionOf, type WantedVersion } from "./batch-versions.ts";
import type { ResponseContext } from "../../context.ts";
import { notCollecting } from "../../domain/collecting.ts";
import type { DistributorRef } from "../../domain/links/link.ts";
import type { SurveyRef } from "../../domain/survey-ref.ts";
import type { FetchedStates, OpenSubmission } from "./open-submission.ts";
import { storeSubmissions, type LateSubmission, type SubmissionOutcome } from "./store-submissions.ts";

export interface OpenedItem {
  opened: OpenSubmission | AppError;
  /** Finds the earlier response of a refused item. */
  key?: IdempotencyKey | undefined;
}

export interface RoundOptions {
  requestId: string;
  /** Returns late submissions as they are. */
  withoutLate?: boolean;
  /** Fails late submissions of further rounds with `deadline_exceeded`. */
  signal?: AbortSignal;
}

type Late = [OpenSubmission, LateSubmission];

/** Limits memory: a definition has up to 4 MiB of JSON. */
const versionsPerRound = 4;

/** Stores the good items of a batch. A refused one whose key has a recorded response gets that. In order. */
export async function storeOpened(
  context: ResponseContext,
  items: readonly OpenedItem[],
  options: RoundOptions,
): Promise<SubmissionOutcome[]> {
  const { database, now } = context;
  const refused = items.flatMap((item) =>
    item.opened instanceof AppError && item.key ? [{ item, key: item.key }] : [],
  );
  const earlier = await findEarlierAnswers(database.hot.sql, refused, now());
  const good = items.flatMap(({ opened }) => (opened instanceof AppError ? [] : [opened]));
  const stored = (await storeInRounds(context, good, options)).values();
  return items.map((item) => {
    if (!(item.opened instanceof AppError)) return stored.next().value!;
    const answered = earlier.get(item) ?? item.opened;
    return answered instanceof AppError ? answered : { replay: answered };
  });
}

/** Stores what is ready in one commit. Then fetches what late ones lack and stores them, some in each round. */
async function storeInRounds(
  context: ResponseContext,
  submissions: readonly OpenSubmission[],
  { requestId, withoutLate = false, signal }: RoundOptions,
): Promise<SubmissionOutcome[]> {
  const first = await storeEach(context, submissions, batchVersions(context.surveys), requestId);
  const outcomes = new Map(submissions.map((submission, index) => [submission, first[index]!]));
  for (;;) {
    const late = [...outcomes].filter((entry): entry is Late => isLate(entry[1]));
    if (withoutLate || late.length === 0) return submissions.map((submission) => outcomes.get(submission)!);
    const round = nextRound(late);
    const stored = signal?.aborted
      ? round.map(() => new AppError("deadline_exceeded"))
      : await storeRound(context, round, requestId);
    for (const [index, [submission]] of round.entries()) outcomes.set(submission, stored[index]!);
  }
}

export function isLate(outcome: SubmissionOutcome): outcome is LateSubmission {
  return "awaits" in outcome;
}

function nextRound(late: readonly Late[]): Late[] {
  const versions = new Set<string>();
  return late.filter(([, { awaits }]) => {
    if (versions.size < versionsPerRound) versions.add(versionKey(awaits));
    return versions.has(versionKey(awaits));
  });
}

/** Returns outcomes in order. Those of respondents that were too large to be read together are late again. */
async function storeRound(
  context: ResponseContext,
  round: readonly Late[],
  requestId: string,
): Promise<SubmissionOutcome[]> {
  const outcomes: (SubmissionOutcome | undefined)[] = await Promise.all(
    round.map((late) => orOwnError(context, prepare(context, late))),
  );
  const ready = round.filter((_, index) => outcomes[index] === undefined);
  if (ready.length === 0) return outcomes as SubmissionOutcome[];
  const refs = [...new Map(ready.map(([, { awaits }]) => [versionKey(awaits), awaits])).values()];
  const store = async () => {
    const submissions = ready.map(([submission]) => submission);
    return storeEach(context, submissions, await fetchVersions(context, refs), requestId);
  };
  // After `prepare`, so that a permit is not held while the owners of the states are asked.
  const permitted = context.versionPermits.run(refs[0]!.workspaceId, undefined, store);
  const stored = orEach(await orOwnError(context, permitted), ready.length);
  if (stored.some((outcome) => !isLate(outcome))) return outcomes.map((outcome) => outcome ?? stored.shift()!);
  context.log.error({ requestId, submissions: ready.length }, "a round of late submissions stored none");
  return outcomes.map((outcome) => outcome ?? new AppError("internal_error"));
}

function orEach(outcomes: SubmissionOutcome[] | AppError, count: number): SubmissionOutcome[] {
  return outcomes instanceof AppError ? Array.from({ length: count }, () => outcomes) : outcomes;
}

async function prepare(context: ResponseContext, [submission, { awaits }]: Late): Promise<undefined> {
  submission.fetched = await ensureStored(context, awaits);
  if (awaits.translation) submission.isTranslated = true;
  if (submission.startsOn) submission.startsOn = await context.prepareVersion(awaits);
}

async function ensureStored(
  { surveys, links }: ResponseContext,
  { workspaceId, surveyId, distributorId }: SurveyRef & DistributorRef,
): Promise<FetchedStates> {
  const [survey, link] = await Promise.all([
    surveys.collectingState({ workspaceId, surveyId }),
    distributorId === "" ? undefined : links.byDistributor({ workspaceId, distributorId }),
  ]);
  if (!survey.found) throw new AppError("survey_not_found");
  if (survey.isHeld) throw new AppError("service_unavailable");
  if (link && !link.found) throw notCollecting("link_closed");
  return { survey, ...(link && { link }) };
}

async function fetchVersions(context: ResponseContext, wanted: readonly WantedVersion[]): Promise<VersionOf> {
  const refs = wanted.flatMap((ref) => (ref.translation ? [{ ...ref, translation: "" }, ref] : [ref]));
  const fetched = await Promise.all(
    refs.map(async (ref) => {
      const { workspaceId, surveyId, versionId, translation: language = "" } = ref;
      const version = context.surveys.version({ workspaceId, surveyId, versionId }, language);
      return [versionKey(ref), await orOwnError(context, version)] as const;
    }),
  );
  return batchVersions(context.surveys, new Map(fetched));
}

/** Like `orAppError`. Unexpected errors are logged and become this item's error, so that the batch continues. */
export async function orOwnError<T>(
  { recognizeError, log }: Pick<ResponseContext, "recognizeError" | "log">,
  work: Promise<T>,
): Promise<T | AppError> {
  try {
    return await orAppError(work);
  } catch (err) {
    const known = recognizeError(err);
    if (!known) log.error({ err }, "an item of a batch failed unexpectedly");
    return known ?? new AppError("internal_error");
  }
}

/** Stores submissions with one commit. If it fails because of one of them, stores each alone. */
async function storeEach(
  context: ResponseContext,
  submissions: readonly OpenSubmission[],
  versionOf: VersionOf,
  requestId: string,
): Promise<SubmissionOutcome[]> {
  if (submissions.length === 0) return [];
  try {
    return await storeSubmissions(context, submissions, versionOf);
  } catch (error) {
    const recognized = context.recognizeError(error);
    const about = { requestId, err: error, submissions: submissions.length };
    if (recognized) {
      context.log.warn(about, recognized.code);
      return submissions.map(() => recognized);
    }
    context.log.error(about, "a batch of submissions failed");
    if (submissions.length === 1) return [new AppError("internal_error")];
    const alone = [];
    for (const submission of submissions) alone.push(...(await storeEach(context, [submission], versionOf, requestId)));
    return alone;
  }
}
