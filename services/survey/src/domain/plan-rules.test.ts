import { expect, test } from "vitest";
import { planNamed, requireQuestionQuota, requireSettingsPlan } from "./plan-rules.ts";

const thrown = (act: () => void): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
};

test("a refusal names all locked settings, and the lowest plan that includes them", () => {
  const settings = { privacy: { anonymity: "full" }, display: { showBranding: false, theme: "dark" } };
  expect(thrown(() => requireSettingsPlan(settings, "free"))).toMatchObject({
    code: "feature_locked",
    details: {
      paths: ["settings.display.showBranding", "settings.privacy.anonymity"],
      required_plan: "enterprise",
    },
  });
  expect(thrown(() => requireSettingsPlan({ display: { showBranding: false } }, "starter"))).toBeUndefined();
  expect(thrown(() => requireSettingsPlan(settings, "enterprise"))).toBeUndefined();
});

test.each([
  ["free", 10, undefined],
  ["free", 11, { limit: 10, requested: 11, required_plan: "starter" }],
  ["starter", 1000, { limit: 50, requested: 1000, required_plan: "enterprise" }],
  ["enterprise", 1001, { limit: 1000, requested: 1001, required_plan: null }],
] as const)("on %s, %i questions give %j", (plan, count, details) => {
  const error = thrown(() => requireQuestionQuota(count, plan)) as { code: string; details: object } | undefined;
  expect(error?.details).toEqual(details);
});

test("inherited names are no plans", () => {
  expect(() => planNamed("constructor")).toThrow(/no plan/);
});
