const dayMs = 86_400_000;

/** Returns the day of a completion with full anonymity; undefined for other bodies. */
export function dayOfBody(body: string): Date | undefined {
  const [, day] = /"completed_at":"(\d{4}-\d\d-\d\d)"/.exec(body) ?? [];
  return day === undefined ? undefined : new Date(day);
}

interface Timed {
  createdAt: Date;
  redeliveryOf: string;
  nextAttemptAt: Date | null;
  attempts: readonly { attemptedAt: Date }[];
}

/**
 * Replaces the times of a first delivery by days if its completion shows only its day: the times would reveal more.
 * Returns other deliveries as they are.
 */
export function withShownTimes<Delivery extends Timed>(delivery: Delivery, body: string): Delivery {
  const day = dayOfBody(body);
  if (!day || delivery.redeliveryOf !== "") return delivery;
  const { createdAt, nextAttemptAt, attempts } = delivery;
  const shown = (at: Date) =>
    new Date(day.getTime() + Math.max(0, Math.floor((at.getTime() - createdAt.getTime()) / dayMs)) * dayMs);
  return {
    ...delivery,
    createdAt: day,
    nextAttemptAt: nextAttemptAt && shown(nextAttemptAt),
    attempts: attempts.map((attempt) => ({ ...attempt, attemptedAt: shown(attempt.attemptedAt) })),
  };
}
