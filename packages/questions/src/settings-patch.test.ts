import * as fc from "fast-check";
import { Compile } from "typebox/compile";
import { describe, expect, test } from "vitest";
import {
  applySettingsPatch,
  checkSettingsPatch,
  fixedSettingViolations,
  settingsBeyondPlan,
  settingsPatchSchema,
  settingsWithDefaults,
} from "./settings-patch.ts";
import { placedSettings } from "./survey-settings.ts";

function violationsOf(patch: unknown, stored = {}): string[] {
  return checkSettingsPatch(patch, stored).violations.map(({ path, message }) => `${path} ${message}`);
}

test("every default is a value the setting takes, and free on every plan", () => {
  for (const { group, key, setting } of placedSettings) {
    const patch = { [group]: { [key]: setting.default } };
    expect(violationsOf(patch)).toEqual([]);
    expect(settingsBeyondPlan(patch, "free")).toEqual([]);
    expect(settingsBeyondPlan({ [group]: { [key]: null } }, "free")).toEqual([]);
  }
});

test("a patch is stored unchanged, an empty one too", () => {
  const settings = { display: { progressStyle: "steps", logo: null }, navigation: { showPrevious: false } };
  expect(checkSettingsPatch(settings)).toEqual({ settings, secrets: [], violations: [] });
  expect(checkSettingsPatch({})).toEqual({ settings: {}, secrets: [], violations: [] });
  expect(Compile(settingsPatchSchema).Check(settings)).toBe(true);
});

test("a password is flagged for hashing", () => {
  expect(checkSettingsPatch({ access: { password: "secret" } })).toMatchObject({ secrets: ["access.password"] });
  expect(checkSettingsPatch({ access: { password: null } })).toMatchObject({ secrets: [] });
});

test("settings as they are read can be sent back: true keeps a password, false stands for none", () => {
  const read = (password: boolean) => ({ access: { ...settingsWithDefaults({}).access, password } });
  const [kept, none] = [read(true), read(false)];
  expect([kept, none].every((settings) => Compile(settingsPatchSchema).Check(settings))).toBe(true);
  const stored = { access: { password: "a hash" } };
  const keeping = checkSettingsPatch(kept, stored);
  expect(keeping).toMatchObject({ secrets: [], violations: [] });
  expect(applySettingsPatch(stored, keeping.settings)).toMatchObject(stored);
  expect(settingsBeyondPlan(keeping.settings, "free")).toEqual([]);
  const removing = checkSettingsPatch(none, stored);
  expect(removing).toMatchObject({ secrets: [], violations: [] });
  expect(applySettingsPatch(stored, removing.settings)["access"]).not.toHaveProperty("password");
  const message = "must be a text: true keeps what the survey has, and it has none";
  expect(violationsOf(kept, {})).toEqual([`settings.access.password ${message}`]);
  expect(checkSettingsPatch(kept).violations).toEqual([]);
});

describe("faults", () => {
  test.each([
    [null, "settings must be an object"],
    [[], "settings must be an object"],
    [{ display: 5 }, "settings.display must be an object"],
    [
      { display: { progressStyle: "pie" } },
      "settings.display.progressStyle must be one of none, bar, percentage, steps",
    ],
    [{ display: { primaryColor: "red" } }, "settings.display.primaryColor must be a colour such as #1a2b3c"],
    [{ display: { backgroundColor: "#fff" } }, "settings.display.backgroundColor must be a colour such as #1a2b3c"],
    [{ display: { font: "url(x)" } }, "settings.display.font must be one of system, humanist"],
    [{ display: { cornerRadius: 2.5 } }, "settings.display.cornerRadius must be"],
    [{ display: { logo: "http://a.b/c.png" } }, "settings.display.logo must be a URL starting with https://"],
    [{ navigation: { showPrevious: "yes" } }, "settings.navigation.showPrevious must be true or false"],
    [{ navigation: { buttonNext: "" } }, "settings.navigation.buttonNext must be text of 1 to 50 characters"],
    [
      { collection: { responseLimit: 0 } },
      "settings.collection.responseLimit must be a whole number of 1 to 1000000000",
    ],
    [
      { collection: { editAfterSubmit: true } },
      "settings.collection.editAfterSubmit must be one of never, until_complete, always",
    ],
    [{ schedule: { opensAt: "2026-01-31" } }, "settings.schedule.opensAt must be a date-time such as"],
    [{ schedule: { closesAt: "2026-01-31T10:00" } }, "settings.schedule.closesAt must be a date-time such as"],
    [{ completion: { redirectUrl: "javascript:alert(1)" } }, "settings.completion.redirectUrl must be a URL"],
    [{ completion: { redirectUrl: "ftp://a.b" } }, "settings.completion.redirectUrl must be a URL"],
    [{ locale: { additional: ["de", "not a language"] } }, "settings.locale.additional.1 must be a language tag"],
    [{ locale: { additional: ["de", "DE"] } }, "settings.locale.additional must not name a language twice"],
    [{ locale: { additional: "de" } }, "settings.locale.additional must be a list"],
    [{ completion: { message: "a\0" } }, "settings.completion.message must not contain NUL"],
  ])("%j", (patch, violation) => {
    expect(violationsOf(patch)).toEqual([expect.stringContaining(violation)]);
  });

  test("are all named at once; the first unknown setting lists the settable ones", () => {
    const violations = violationsOf({ colour: {}, display: { theme: 1, fonts: "x" }, schedule: { opensAt: "x" } });
    expect(violations).toEqual([
      expect.stringMatching(
        /^settings\.colour is not a changeable setting; settable are settings\.display\.flow, .*settings\.locale\.showSwitch$/,
      ),
      "settings.display.theme must be one of light, dark, contrast",
      "settings.display.fonts is not a changeable setting",
      expect.stringContaining("settings.schedule.opensAt"),
    ]);
  });

  test("hostile keys are unknown settings", () => {
    for (const text of [
      '{"__proto__": {"theme": "dark"}}',
      '{"display": {"__proto__": 1}}',
      '{"constructor": {}}',
      '{"display": {"toString": 1}}',
    ]) {
      expect(violationsOf(JSON.parse(text))).toEqual([
        expect.stringContaining("is not a changeable setting; settable are"),
      ]);
    }
  });

  test("a survey closes after it opens, also when the other end is already set", () => {
    const [early, late] = ["2026-01-01T00:00:00Z", "2026-01-01T02:00:00+01:00"];
    const violation = "settings.schedule.closesAt must be after opensAt";
    expect(violationsOf({ schedule: { opensAt: early, closesAt: late } })).toEqual([]);
    expect(violationsOf({ schedule: { opensAt: late, closesAt: early } })).toEqual([violation]);
    expect(violationsOf({ schedule: { opensAt: late } }, { schedule: { closesAt: early } })).toEqual([violation]);
    expect(violationsOf({ schedule: { opensAt: late, closesAt: null } }, { schedule: { closesAt: early } })).toEqual(
      [],
    );
    expect(violationsOf({ display: {} }, { schedule: { opensAt: early, closesAt: late } })).toEqual([]);
    // Thirty fraction digits are stored as they were sent, and compared to the millisecond.
    const long = { opensAt: `2026-01-31T12:00:00.${"9".repeat(30)}Z`, closesAt: "2026-01-31T12:00:01Z" };
    expect(violationsOf({ schedule: long })).toEqual([]);
    const leap = { opensAt: "2016-12-31T23:59:60.123456789z", closesAt: "2017-01-01t00:00:00.1240001Z" };
    expect(violationsOf({ schedule: leap })).toEqual([]);
    expect(violationsOf({ schedule: { ...leap, closesAt: "2017-01-01T00:00:00.1239Z" } })).toEqual([violation]);
    // Reported beside other violations, but not for an invalid time.
    expect(violationsOf({ display: { theme: 1 }, schedule: { opensAt: late, closesAt: early } })).toHaveLength(2);
    expect(violationsOf({ schedule: { opensAt: "x", closesAt: early } }, { schedule: { opensAt: late } })).toEqual([
      expect.stringContaining("settings.schedule.opensAt"),
    ]);
  });
});

test.each([
  [{ display: { showBranding: false } }, "starter"],
  [{ display: { logo: "https://a.b/c.png" } }, "starter"],
  [{ completion: { redirectUrl: "https://a.b" } }, "professional"],
  [{ access: { password: "x" } }, "professional"],
  [{ collection: { responseLimit: 5 } }, "professional"],
  [{ privacy: { anonymity: "full" } }, "enterprise"],
] as const)("%j needs the plan %s", (patch, requiredPlan) => {
  const [group = "", settings = {}] = Object.entries(patch)[0] ?? [];
  const path = `settings.${group}.${Object.keys(settings)[0]}`;
  const plans = ["free", "starter", "professional", "enterprise"] as const;
  for (const plan of plans) {
    const expected = plans.indexOf(plan) < plans.indexOf(requiredPlan) ? [{ path, requiredPlan }] : [];
    expect(settingsBeyondPlan(patch, plan)).toEqual(expected);
  }
});

test("partial anonymity and branding switched on are free", () => {
  expect(
    settingsBeyondPlan({ privacy: { anonymity: "partial" }, display: { showBranding: true, theme: "dark" } }, "free"),
  ).toEqual([]);
});

test("stored settings shrink when a setting is unset, and read back with defaults", () => {
  const stored = applySettingsPatch(
    { display: { theme: "dark", logo: "https://a.b" } },
    { display: { theme: null }, locale: { additional: ["de"] } },
  );
  expect(stored).toEqual({ display: { logo: "https://a.b" }, locale: { additional: ["de"] } });
  expect(settingsWithDefaults(stored)).toMatchObject({
    display: { theme: "light", logo: "https://a.b", progressStyle: "bar" },
    collection: { editAfterSubmit: "until_complete" },
    locale: { additional: ["de"], showSwitch: false },
  });
  settingsWithDefaults({}).locale.additional.push("xx");
  expect(settingsWithDefaults({}).locale.additional).toEqual([]);
});

test("privacy cannot change once there are responses; the same value may be named", () => {
  const stored = { privacy: { anonymity: "partial" } };
  expect(fixedSettingViolations({ privacy: { anonymity: "none", collectCountry: true } }, stored)).toEqual([
    { path: "settings.privacy.anonymity", message: expect.stringContaining("cannot change") },
  ]);
  expect(fixedSettingViolations({ privacy: { anonymity: null } }, stored)).toHaveLength(1);
  expect(fixedSettingViolations({ privacy: { anonymity: "partial" }, display: { theme: "dark" } }, stored)).toEqual([]);
});

test("no JSON makes a check throw, and what it accepts has the documented shape", () => {
  const shape = Compile(settingsPatchSchema);
  const group = fc.constantFrom(...placedSettings.map(({ group }) => group), "__proto__");
  const key = fc.constantFrom(...placedSettings.map(({ key }) => key), "__proto__");
  const patch = fc.dictionary(group, fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }))));
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), patch), (patch) => {
      const { settings, violations } = checkSettingsPatch(patch);
      expect(violations.length > 0 || shape.Check(patch)).toBe(true);
      const stored = applySettingsPatch({}, settings);
      expect(violationsOf(settingsWithDefaults(stored))).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});
