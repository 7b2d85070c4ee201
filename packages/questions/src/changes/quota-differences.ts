import { isSameJson } from "@canvass/values";
import type { Quota } from "../quotas/quota.ts";
import type { ChangeKind, Difference } from "./change.ts";
import { quoted } from "./wording.ts";

/** A quota is known by its id. No change of one alters an answer or a result. */
export function quotaDifferences(base: readonly Quota[] = [], draft: readonly Quota[] = []): Difference[] {
  const published = new Map(base.map((quota) => [quota.quotaId, quota]));
  const present = new Set(draft.map(({ quotaId }) => quotaId));
  const removed = base.filter(({ quotaId }) => !present.has(quotaId));
  return [
    ...draft.flatMap((quota) => {
      const old = published.get(quota.quotaId);
      if (!old) return tell("quota_added", quota, null, quota, "Adds");
      return isSameJson(old, quota) ? [] : tell("quota_changed", quota, old, quota, "Changes");
    }),
    ...removed.map((quota) => tell("quota_removed", quota, quota, null, "Takes away")),
    ...reordered(
      base.filter(({ quotaId }) => present.has(quotaId)),
      draft.filter(({ quotaId }) => published.has(quotaId)),
    ),
  ];
}

/** The order decides which of several full quotas is told. */
function reordered(before: readonly Quota[], after: readonly Quota[]): Difference[] {
  const [was, is] = [before, after].map((quotas) => quotas.map(({ name }) => name));
  if (before.every(({ quotaId }, at) => quotaId === after[at]!.quotaId)) return [];
  const message = "Puts the quotas in another order.";
  return [{ ...different("quotas_reordered", "", was, is), message }];
}

function tell(kind: ChangeKind, { quotaId, name }: Quota, before: unknown, after: unknown, verb: string): Difference {
  return { ...different(kind, quotaId, before, after), message: `${verb} the quota ${quoted(name)}.` };
}

const different = (kind: ChangeKind, quotaId: string, before: unknown, after: unknown) => ({
  kind,
  class: "safe" as const,
  elementId: null,
  affectedResponses: 0,
  subject: `quotas.${quotaId}`,
  before,
  after,
});
