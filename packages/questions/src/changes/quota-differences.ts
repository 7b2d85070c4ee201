import { isSameJson } from "@canvass/values";
import { withoutTranslations, type Quota, type StoredQuota } from "../quotas/quota.ts";
import type { ChangeKind, Difference } from "./change.ts";
import { translationDifferences } from "./translation-differences.ts";
import { quoted } from "./wording.ts";

/** Quotas are matched by id. A change of a quota alters no answer and no result. */
export function quotaDifferences(base: readonly StoredQuota[] = [], draft: readonly StoredQuota[] = []): Difference[] {
  const published = new Map(base.map((quota) => [quota.quotaId, quota]));
  const present = new Set(draft.map(({ quotaId }) => quotaId));
  const removed = base.filter(({ quotaId }) => !present.has(quotaId));
  return [
    ...draft.flatMap((stored) => {
      const found = published.get(stored.quotaId);
      const quota = withoutTranslations(stored);
      if (!found) return quotaDifference("quota_added", quota, null, quota, "Adds");
      const old = withoutTranslations(found);
      return [
        ...(isSameJson(old, quota) ? [] : [quotaDifference("quota_changed", quota, old, quota, "Changes")]),
        ...retranslated(found, stored),
      ];
    }),
    ...removed.map(withoutTranslations).map((quota) => quotaDifference("quota_removed", quota, quota, null, "Removes")),
    ...reordered(
      base.filter(({ quotaId }) => present.has(quotaId)),
      draft.filter(({ quotaId }) => published.has(quotaId)),
    ),
  ];
}

function retranslated(before: StoredQuota, after: StoredQuota): Difference[] {
  const { quotaId, name } = after;
  const message = `Changes translations of the quota ${quoted(name)}.`;
  return translationDifferences(before, after, message).map((difference) => ({
    ...difference,
    elementId: null,
    subject: `quotas.${quotaId} ${difference.subject}`,
  }));
}

/** The order decides which of several full quotas is reported. */
function reordered(before: readonly Quota[], after: readonly Quota[]): Difference[] {
  const [was, is] = [before, after].map((quotas) => quotas.map(({ name }) => name));
  if (before.every(({ quotaId }, at) => quotaId === after[at]!.quotaId)) return [];
  const message = "Reorders the quotas.";
  return [{ ...withoutMessage("quotas_reordered", "", was, is), message }];
}

function quotaDifference(
  kind: ChangeKind,
  { quotaId, name }: Quota,
  before: unknown,
  after: unknown,
  verb: string,
): Difference {
  return { ...withoutMessage(kind, quotaId, before, after), message: `${verb} the quota ${quoted(name)}.` };
}

const withoutMessage = (kind: ChangeKind, quotaId: string, before: unknown, after: unknown) => ({
  kind,
  class: "safe" as const,
  elementId: null,
  affectedResponses: 0,
  subject: `quotas.${quotaId}`,
  before,
  after,
});
