import { isPlan, plans, type Plan } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { type DistributorSettingsBody, type Violation } from "@canvass/inputs";
import { parseInstant } from "@canvass/values";
import { isEmbeddingOrigin } from "@canvass/values/embedding-origin";
import { hasBraces, isPlainWebUrl, plainWebUrlViolation, surveySettings } from "@canvass/questions";

/** Only the settings that were set. Timestamps are ISO 8601 in UTC. */
export interface StoredSettings {
  opensAt?: string;
  closesAt?: string;
  responseLimit?: number;
  passwordHash?: string;
  allowMultiple?: boolean;
  prefill?: boolean;
  closedMessage?: string;
  redirectUrl?: string;
  allowedOrigins?: string[];
}

export function settingsViolations({
  opensAt,
  closesAt,
  redirectUrl,
  allowedOrigins,
}: DistributorSettingsBody): Violation[] {
  return [
    ...timeViolations({ opensAt, closesAt }),
    ...(redirectUrl && !isPlainWebUrl(redirectUrl) ? [{ path: "redirectUrl", message: plainWebUrlViolation }] : []),
    ...(redirectUrl && hasBraces(redirectUrl)
      ? [{ path: "redirectUrl", message: "must have no placeholders, which only the survey's redirectUrl takes" }]
      : []),
    ...(allowedOrigins ?? []).flatMap((origin, index, all) => originViolations(origin, index, all)),
  ];
}

function timeViolations(given: Pick<DistributorSettingsBody, "opensAt" | "closesAt">): Violation[] {
  const violations: Violation[] = [];
  for (const path of ["opensAt", "closesAt"] as const) {
    const text = given[path];
    if (text && !parseInstant(text))
      violations.push({ path, message: "must be a date-time such as 2026-01-31T09:00:00Z" });
  }
  const [opensAt, closesAt] = [instantOf(given.opensAt), instantOf(given.closesAt)];
  if (opensAt && closesAt && closesAt <= opensAt)
    violations.push({ path: "closesAt", message: "must be after opensAt" });
  return violations;
}

function originViolations(origin: string, index: number, all: readonly string[]): Violation[] {
  const path = `allowedOrigins.${index}`;
  if (!isEmbeddingOrigin(origin)) {
    return [
      { path, message: "must be an origin such as https://example.com or https://*.example.com, without a path" },
    ];
  }
  return all.indexOf(origin) < index ? [{ path, message: "is listed twice" }] : [];
}

/** `password: true` keeps the stored password, so there must be one. */
export function keptPasswordViolations({ password }: DistributorSettingsBody, stored: StoredSettings): Violation[] {
  if (password !== true || stored.passwordHash !== undefined) return [];
  return [{ path: "password", message: "must be text: no password is set that true could keep" }];
}

export function storedSettings(given: DistributorSettingsBody, passwordHash: string | undefined): StoredSettings {
  const { responseLimit, allowMultiple, prefill, closedMessage, redirectUrl, allowedOrigins } = given;
  const [opensAt, closesAt] = [instantOf(given.opensAt), instantOf(given.closesAt)];
  return {
    ...(opensAt && { opensAt: opensAt.toISOString() }),
    ...(closesAt && { closesAt: closesAt.toISOString() }),
    ...(responseLimit && { responseLimit }),
    ...(passwordHash !== undefined && { passwordHash }),
    ...(allowMultiple && { allowMultiple }),
    ...(prefill && { prefill }),
    ...(closedMessage && { closedMessage }),
    ...(redirectUrl && { redirectUrl }),
    ...(allowedOrigins && allowedOrigins.length > 0 && { allowedOrigins: [...allowedOrigins] }),
  };
}

/** Settings that surveys also have. They need the same plan here. */
const planned = [
  ["responseLimit", surveySettings.collection.responseLimit],
  ["password", surveySettings.access.password],
  ["redirectUrl", surveySettings.completion.redirectUrl],
] as const;

const ranking = Object.keys(plans) as Plan[];

/**
 * Throws `feature_locked` for settings beyond the plan, with their paths after `prefix`. Accepts values that are
 * already stored, because they may have been set under another plan.
 */
export function requireSettingsPlan(
  given: DistributorSettingsBody,
  plan: string,
  { prefix = "", stored = {} }: { prefix?: string; stored?: StoredSettings } = {},
): void {
  if (!isPlan(plan)) throw new Error(`there is no plan named ${plan}`);
  const known = { ...stored, password: stored.passwordHash !== undefined };
  const locked = planned.flatMap(([name, { plan: needed }]) => {
    const rank = ranking.indexOf(needed ?? plan);
    return given[name] && given[name] !== known[name] && rank > ranking.indexOf(plan)
      ? [{ path: `${prefix}${name}`, rank }]
      : [];
  });
  if (locked.length === 0) return;
  const paths = locked.map(({ path }) => path);
  const requiredPlan = ranking[Math.max(...locked.map(({ rank }) => rank))];
  throw new AppError("feature_locked", { feature: "distributor_settings", paths, required_plan: requiredPlan });
}

function instantOf(text: string | null | undefined): Date | null {
  return text ? parseInstant(text) : null;
}
