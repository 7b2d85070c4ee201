const mebibyte = 1024 * 1024;

/** Plans and their limits (contract 4.10), weakest first. */
export const plans = {
  free: { questionsPerSurvey: 10, storedBytes: 16 * mebibyte, exportedBytes: 256 * mebibyte, webhooks: false },
  starter: { questionsPerSurvey: 50, storedBytes: 128 * mebibyte, exportedBytes: 1024 * mebibyte, webhooks: false },
  professional: {
    questionsPerSurvey: 200,
    storedBytes: 1024 * mebibyte,
    exportedBytes: 4096 * mebibyte,
    webhooks: true,
  },
  enterprise: {
    questionsPerSurvey: 1000,
    storedBytes: 8192 * mebibyte,
    exportedBytes: 16384 * mebibyte,
    webhooks: true,
  },
} as const satisfies Record<string, PlanRules>;

interface PlanRules {
  questionsPerSurvey: number;
  /** Limit for all surveys of a workspace: drafts, backups, versions and retired questions. */
  storedBytes: number;
  /** Limit for the stored files of all exports. */
  exportedBytes: number;
  webhooks: boolean;
}

export type Plan = keyof typeof plans;

export function isPlan(text: string): text is Plan {
  return Object.hasOwn(plans, text);
}

export function planForQuestions(count: number): Plan | undefined {
  return weakestPlan(({ questionsPerSurvey }) => questionsPerSurvey >= count);
}

export function planForStoredBytes(bytes: number): Plan | undefined {
  return weakestPlan(({ storedBytes }) => storedBytes >= bytes);
}

export function planForExportedBytes(bytes: number): Plan | undefined {
  return weakestPlan(({ exportedBytes }) => exportedBytes >= bytes);
}

function weakestPlan(allows: (rules: PlanRules) => boolean): Plan | undefined {
  return (Object.keys(plans) as Plan[]).find((plan) => allows(plans[plan]));
}

export function includesWebhooks(plan: string): boolean {
  return isPlan(plan) && plans[plan].webhooks;
}

export const planWithWebhooks: Plan = "professional";
