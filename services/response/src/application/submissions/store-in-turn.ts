import { AppError } from "@canvass/errors";
import { ensureStored } from "./batch-collecting.ts";
import { batchVersions, fetchVersions, type VersionOf } from "./batch-versions.ts";
import type { ResponseContext } from "../../context.ts";
import type { OpenSubmission } from "./open-submission.ts";
import { orOwnError } from "./or-own-error.ts";
import { storeSubmissions, type Awaited, type SubmissionOutcome, type StoredSubmission } from "./store-submissions.ts";

type Final = StoredSubmission | AppError;

interface Late {
  submission: OpenSubmission;
  awaits: Awaited;
}

/** Limits memory: a definition has up to 4 MiB of JSON. */
const versionsAtOnce = 4;

/** Stores what is ready in one commit. Fetches what the others lack and stores them, too, unless `withoutLate`. */
export async function storeInTurn(
  context: ResponseContext,
  submissions: readonly OpenSubmission[],
  { requestId, withoutLate }: { requestId: string; withoutLate: boolean },
): Promise<SubmissionOutcome[]> {
  const outcomes = await storeEach(context, submissions, batchVersions(context.surveys), requestId);
  if (withoutLate) return outcomes;
  const late = submissions.flatMap((submission, index): Late[] => {
    const outcome = outcomes[index]!;
    return isLate(outcome) ? [{ submission, awaits: outcome.awaits }] : [];
  });
  const byWorkspace = Map.groupBy(late, ({ awaits }) => awaits.workspaceId);
  const stored = await Promise.all([...byWorkspace.values()].map((group) => storeLate(context, group, requestId)));
  const later = new Map(stored.flat());
  return outcomes.map((outcome, index) => (isLate(outcome) ? later.get(submissions[index]!)! : outcome));
}

/** Stores one workspace's submissions, a few versions and large respondents at a time, to limit memory. */
async function storeLate(
  context: ResponseContext,
  late: readonly Late[],
  requestId: string,
): Promise<[OpenSubmission, Final][]> {
  const results: [OpenSubmission, Final][] = [];
  const ready: Late[] = [];
  // Prepare outside the queue, so that a slow service blocks no other workspace.
  const prepared = await Promise.all(late.map((each) => orOwnError(context, prepare(context, each))));
  for (const [index, each] of late.entries()) {
    const refusal = prepared[index];
    if (refusal instanceof AppError) results.push([each.submission, refusal]);
    else ready.push(each);
  }
  const byVersion = [...Map.groupBy(ready, ({ awaits }) => awaits.versionId).values()];
  while (byVersion.length > 0) {
    const part = byVersion.splice(0, versionsAtOnce);
    const refs = part.map(([first]) => first!.awaits);
    let waiting = part.flat().map(({ submission }) => submission);
    // Each round reads some of the respondents.
    while (waiting.length > 0) {
      const submissions = waiting;
      const work = async () => {
        const versionOf = await fetchVersions(context, refs);
        return storeEach(context, submissions, versionOf, requestId);
      };
      const outcomes = await orOwnError(
        context,
        context.versionTurns.run(refs[0]!.workspaceId, new AbortController().signal, work),
      );
      waiting = [];
      for (const [index, submission] of submissions.entries()) {
        const outcome = outcomes instanceof AppError ? outcomes : outcomes[index]!;
        if (isLate(outcome)) waiting.push(submission);
        else results.push([submission, outcome]);
      }
      if (waiting.length < submissions.length) continue;
      context.log.error({ requestId, submissions: waiting.length }, "a round of late submissions stored none");
      results.push(
        ...waiting.map((submission): [OpenSubmission, Final] => [submission, new AppError("internal_error")]),
      );
      waiting = [];
    }
  }
  return results;
}

async function prepare(context: ResponseContext, { submission, awaits }: Late): Promise<void> {
  submission.told = await ensureStored(context, awaits);
  if (submission.startsOn) submission.startsOn = await context.startVersion(awaits);
}

export function isLate(outcome: SubmissionOutcome): outcome is { awaits: Awaited } {
  return "awaits" in outcome;
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
    const recognised = context.recogniseError(error);
    const about = { requestId, err: error, submissions: submissions.length };
    if (recognised) {
      context.log.warn(about, recognised.code);
      return submissions.map(() => recognised);
    }
    context.log.error(about, "a batch of submissions failed");
    if (submissions.length === 1) return [new AppError("internal_error")];
    const alone = [];
    for (const submission of submissions) alone.push(...(await storeEach(context, [submission], versionOf, requestId)));
    return alone;
  }
}
