/** The plans, weakest first, and what each includes (contract 4.10). */
export const plans = {
  free: { questionsPerSurvey: 10, webhooks: false },
  starter: { questionsPerSurvey: 50, webhooks: false },
  professional: { questionsPerSurvey: 200, webhooks: true },
  enterprise: { questionsPerSurvey: 1000, webhooks: true },
} as const satisfies Record<string, { questionsPerSurvey: number; webhooks: boolean }>;

export type Plan = keyof typeof plans;

/** True when the text names a plan. */
export function isPlan(text: string): text is Plan {
  return Object.hasOwn(plans, text);
}

/** The weakest plan whose surveys may hold that many questions; undefined when none may. */
export function planForQuestions(count: number): Plan | undefined {
  return (Object.keys(plans) as Plan[]).find((plan) => plans[plan].questionsPerSurvey >= count);
}

/** Whether a plan includes webhooks and the event feed; one this version does not know does not. */
export function includesWebhooks(plan: string): boolean {
  return isPlan(plan) && plans[plan].webhooks;
}

/** The weakest plan that includes webhooks and the event feed. */
export const planWithWebhooks: Plan = "professional";
