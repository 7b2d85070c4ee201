import type { DistributorSettingsBody } from "@canvass/inputs";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  keptPasswordViolations,
  requireSettingsPlan,
  settingsViolations,
  storedSettings,
} from "./distributor-settings.ts";

const places = (settings: DistributorSettingsBody) => settingsViolations(settings).map(({ path }) => path);

test.each<[DistributorSettingsBody, string[]]>([
  [{}, []],
  [{ opensAt: null, closesAt: null, redirectUrl: null, allowedOrigins: null }, []],
  [{ opensAt: "2026-03-01T00:00:00Z", closesAt: "2026-03-01T00:00:00.001Z" }, []],
  [{ opensAt: "2026-03-01T00:00:00Z", closesAt: "2026-03-01T01:00:00+01:00" }, ["closesAt"]],
  [{ opensAt: "2026-02-30T00:00:00Z", closesAt: "soon" }, ["opensAt", "closesAt"]],
  [{ opensAt: "2026-03-01T00:00:00" }, ["opensAt"]],
  [{ redirectUrl: "https://example.com/a?b#c" }, []],
  [{ redirectUrl: "https://" }, ["redirectUrl"]],
  [{ redirectUrl: "javascript:alert(1)" }, ["redirectUrl"]],
  [{ redirectUrl: "https://good.example@evil.example/" }, ["redirectUrl"]],
])("%j is wrong at %j", (settings, expected) => {
  expect(places(settings)).toEqual(expected);
});

test("origins are as browsers write them, and each is listed once", () => {
  const allowedOrigins = ["https://a.example", "https://a.example;script-src", "https://*.com", "https://a.example"];
  expect(places({ allowedOrigins })).toEqual(["allowedOrigins.1", "allowedOrigins.2", "allowedOrigins.3"]);
});

test("chosen values are stored, defaults are not", () => {
  const none: DistributorSettingsBody = {
    opensAt: null,
    responseLimit: null,
    password: null,
    allowMultiple: false,
    closedMessage: null,
    allowedOrigins: [],
  };
  expect(storedSettings(none, undefined)).toEqual({});
  expect(storedSettings({ opensAt: "2026-03-01T01:00:00.1239+01:00", allowMultiple: true }, "hash")).toEqual({
    opensAt: "2026-03-01T00:00:00.123Z",
    allowMultiple: true,
    passwordHash: "hash",
  });
});

test("true keeps a password where there is one", () => {
  expect(keptPasswordViolations({ password: true }, { passwordHash: "hash" })).toEqual([]);
  expect(keptPasswordViolations({ password: true }, {})).toMatchObject([{ path: "password" }]);
  for (const password of [false, null, "text", undefined]) {
    expect(keptPasswordViolations({ ...(password !== undefined && { password }) }, {})).toEqual([]);
  }
});

test("any of response limit, password and redirect URL needs the professional plan", () => {
  const allows = (settings: DistributorSettingsBody, plan: string) => {
    try {
      requireSettingsPlan(settings, plan);
      return true;
    } catch {
      return false;
    }
  };
  const settings = fc.record<DistributorSettingsBody>(
    {
      responseLimit: fc.constantFrom(1, null),
      password: fc.constantFrom("x", true, false, null),
      redirectUrl: fc.constantFrom("https://example.com", null),
      closedMessage: fc.constant("closed"),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(settings, ({ closedMessage, ...given }) => {
      const isChosen = Object.values(given).some(Boolean);
      expect(allows(given, "free")).toBe(!isChosen);
      expect(allows(given, "starter")).toBe(!isChosen);
      expect(allows({ ...given, ...(closedMessage && { closedMessage }) }, "professional")).toBe(true);
      expect(allows(given, "enterprise")).toBe(true);
    }),
  );
});

test("settings remain under a smaller plan, but cannot be changed to other values of their kind", () => {
  const stored = { responseLimit: 5, passwordHash: "hash", redirectUrl: "https://example.com" };
  const same = { responseLimit: 5, password: true, redirectUrl: "https://example.com" };
  const evaluate = (given: DistributorSettingsBody) => () => requireSettingsPlan(given, "free", { stored });
  expect(evaluate({ ...same, closesAt: "2026-01-31T09:00:00Z" })).not.toThrow();
  expect(evaluate({ responseLimit: null, password: null })).not.toThrow();
  expect(evaluate({ ...same, responseLimit: 6 })).toThrow(expect.objectContaining({ code: "feature_locked" }));
  expect(evaluate({ ...same, password: "another" })).toThrow(expect.objectContaining({ code: "feature_locked" }));
});
