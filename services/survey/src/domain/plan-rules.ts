import { isPlan, planForQuestions, planForStoredBytes, plans, type Plan } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { settingsBeyondPlan, type SurveySettingsPatch } from "@canvass/questions";

const ranking = Object.keys(plans) as Plan[];

export function planNamed(name: string): Plan {
  if (!isPlan(name)) throw new Error(`there is no plan named ${name}`);
  return name;
}

/** Throws `feature_locked` naming the settings and the lowest plan that includes all of them (contract 4.10). */
export function requireSettingsPlan(settings: SurveySettingsPatch, plan: Plan): void {
  const locked = settingsBeyondPlan(settings, plan);
  if (locked.length === 0) return;
  const needed = Math.max(...locked.map(({ requiredPlan }) => ranking.indexOf(requiredPlan)));
  throw new AppError("feature_locked", {
    feature: "survey_settings",
    paths: locked.map(({ path }) => path),
    required_plan: ranking[needed],
  });
}

/** Never refuses a write that adds no question to the `present` ones: the workspace may have had a higher plan. */
export function requireQuestionQuota(count: number, plan: Plan, present = 0): void {
  const limit = plans[plan].questionsPerSurvey;
  if (count <= Math.max(limit, present)) return;
  throw new AppError("quota_exceeded", { limit, requested: count, required_plan: planForQuestions(count) ?? null });
}

export function isStorageWithin(bytes: number, plan: Plan): boolean {
  return bytes <= plans[plan].storedBytes;
}

export function requireStorageQuota(bytes: number, plan: Plan): void {
  if (isStorageWithin(bytes, plan)) return;
  const requiredPlan = planForStoredBytes(bytes) ?? null;
  const limit = plans[plan].storedBytes;
  throw new AppError("quota_exceeded", { limit, requested: bytes, required_plan: requiredPlan, unit: "bytes" });
}
