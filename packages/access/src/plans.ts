/** Plans and what they include (contract 4.10), weakest first. */
export const plans = {
  free: { questionsPerSurvey: 10, webhooks: false },
  starter: { questionsPerSurvey: 50, webhooks: false },
  professional: { questionsPerSurvey: 200, webhooks: true },
  enterprise: { questionsPerSurvey: 1000, webhooks: true },
} as const satisfies Record<string, { questionsPerSurvey: number; webhooks: boolean }>;

export type Plan = keyof typeof plans;

export function isPlan(text: string): text is Plan {
  return Object.hasOwn(plans, text);
}

/** The weakest plan that allows `count` questions in a survey; undefined when none does. */
export function planForQuestions(count: number): Plan | undefined {
  return (Object.keys(plans) as Plan[]).find((plan) => plans[plan].questionsPerSurvey >= count);
}

/** False for unknown plans. */
export function includesWebhooks(plan: string): boolean {
  return isPlan(plan) && plans[plan].webhooks;
}

export const planWithWebhooks: Plan = "professional";
