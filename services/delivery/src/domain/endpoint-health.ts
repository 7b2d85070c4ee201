import type { Outcome } from "@canvass/webhook-sender";

/** What one attempt says about its endpoint. */
export interface HealthSign {
  delivery: { workspaceId: string; subscriptionId: string };
  attemptedAt: Date;
  outcome: Outcome;
}

/** What a batch of attempts changes about one endpoint. */
export interface HealthChange {
  workspaceId: string;
  subscriptionId: string;
  /** Failures in a row at the end of the batch; they count on from before unless there was a success. */
  failures: number;
  lastSuccessAt: Date | undefined;
  lastFailureAt: Date | undefined;
}

/**
 * Sums a batch up by endpoint, in the order in which the attempts ended. `blocked` says something about the address,
 * not about the endpoint, so it does not count.
 */
export function healthChanges(signs: readonly HealthSign[]): HealthChange[] {
  const changes = new Map<string, HealthChange>();
  for (const { delivery, attemptedAt, outcome } of signs) {
    if (outcome === "blocked") continue;
    const { workspaceId, subscriptionId } = delivery;
    const key = `${workspaceId} ${subscriptionId}`;
    const none = { workspaceId, subscriptionId, failures: 0, lastSuccessAt: undefined, lastFailureAt: undefined };
    const before: HealthChange = changes.get(key) ?? none;
    changes.set(
      key,
      outcome === "success"
        ? { ...before, failures: 0, lastSuccessAt: attemptedAt }
        : { ...before, failures: before.failures + 1, lastFailureAt: attemptedAt },
    );
  }
  return [...changes.values()];
}
