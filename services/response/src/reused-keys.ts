import { claimIdempotencyKeys } from "@canvass/postgres";
import { idempotencyKey } from "@canvass/postgres/rpc";
import type { Submission } from "@canvass/proto/response";
import type { ResponseContext } from "./context.ts";

/**
 * Of submissions that are at fault, those whose idempotency key was used before for another body: that is the answer
 * they get, whatever else is wrong (api-decisions 1, order of checks). Two statements however many.
 */
export async function findReusedKeys(
  { verifyCaller, db, now }: ResponseContext,
  submissions: readonly Submission[],
): Promise<Set<Submission>> {
  const keyed = submissions.flatMap((submission) => {
    const caller = submission.idempotency && verifyCaller(submission.caller);
    return caller ? [{ submission, key: idempotencyKey(caller.workspaceId, submission.idempotency!) }] : [];
  });
  // Outside a transaction a claim ends with its statement: only what is on record matters here.
  const claims = await claimIdempotencyKeys(
    db.sql,
    keyed.map(({ key }) => key),
    now(),
  );
  return new Set(keyed.filter((_, index) => claims[index]!.state === "reused").map(({ submission }) => submission));
}
