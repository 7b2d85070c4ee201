import { AppError } from "@canvass/errors";
import { batchLinks, fetchLinks, type LinkOf } from "./batch-links.ts";
import { batchVersions, fetchVersions, type VersionOf } from "./batch-versions.ts";
import type { ResponseContext } from "../context.ts";
import type { OpenSubmission } from "./open-submission.ts";
import { orOwnError } from "./or-own-error.ts";
import { storeSubmissions, type Awaited, type SubmissionOutcome, type StoredSubmission } from "./store-submissions.ts";

type Final = StoredSubmission | AppError;

interface Late {
  submission: OpenSubmission;
  awaits: Awaited;
}

/** About as many of the largest definitions as one message holds. */
const versionsAtOnce = 4;

/**
 * Stores at once submissions whose versions and links are known and whose respondents are read in one go. Fetches those of
 * the others and stores these workspace by workspace, in turn, unless late ones are left out. Outcomes stand in the order
 * of the submissions.
 */
export async function storeInTurn(
  context: ResponseContext,
  submissions: readonly OpenSubmission[],
  { requestId, withoutLate }: { requestId: string; withoutLate: boolean },
): Promise<SubmissionOutcome[]> {
  const known = { versionOf: batchVersions(context.surveys), linkOf: batchLinks(context.links, linksOf(submissions)) };
  const outcomes = await storeEach(context, submissions, known, requestId);
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

/** Those that were asked about when submissions were opened. */
function linksOf(submissions: readonly OpenSubmission[]) {
  return submissions.flatMap(({ link }) =>
    link ? [{ workspaceId: link.workspaceId, distributorId: link.distributorId, link }] : [],
  );
}

/** Stores one workspace's submissions, a few versions and heavy respondents at a time: all could fill the memory. */
async function storeLate(
  context: ResponseContext,
  late: readonly Late[],
  requestId: string,
): Promise<[OpenSubmission, Final][]> {
  const results: [OpenSubmission, Final][] = [];
  // Outside of turns: however long the distribution service takes, no other workspace waits.
  const linkOf = await fetchLinks(
    context,
    late.flatMap(({ awaits }) => (awaits.distributorId === "" ? [] : [awaits])),
  );
  const byVersion = [...Map.groupBy(late, ({ awaits }) => awaits.versionId).values()];
  while (byVersion.length > 0) {
    const part = byVersion.splice(0, versionsAtOnce);
    const refs = part.map(([first]) => first!.awaits);
    let waiting = part.flat().map(({ submission }) => submission);
    // Each round reads some of the respondents.
    while (waiting.length > 0) {
      const submissions = waiting;
      const work = async () => {
        const versionOf = await fetchVersions(context, refs);
        return storeEach(context, submissions, { versionOf, linkOf }, requestId);
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
      // A defect, and this workspace's alone.
      context.log.error({ requestId, submissions: waiting.length }, "a round of late submissions stored none");
      results.push(
        ...waiting.map((submission): [OpenSubmission, Final] => [submission, new AppError("internal_error")]),
      );
      waiting = [];
    }
  }
  return results;
}

export function isLate(outcome: SubmissionOutcome): outcome is { awaits: Awaited } {
  return "awaits" in outcome;
}

/** Stores submissions with one commit; when it fails because of one of them, each alone. */
async function storeEach(
  context: ResponseContext,
  submissions: readonly OpenSubmission[],
  known: { versionOf: VersionOf; linkOf: LinkOf },
  requestId: string,
): Promise<SubmissionOutcome[]> {
  if (submissions.length === 0) return [];
  try {
    return await storeSubmissions(context, submissions, known);
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
    for (const submission of submissions) alone.push(...(await storeEach(context, [submission], known, requestId)));
    return alone;
  }
}
