import type { AppError } from "@canvass/errors";
import { expect, test } from "vitest";
import { readSurveyPatch, requireSurveyUpdates, type PatchedSurvey } from "./survey-patch.ts";

const survey: PatchedSurvey = { active: false, settings: { display: { theme: "dark" } }, hasResponses: false };
const body = (json: string) => JSON.parse(json) as Record<string, unknown>;

function violationsOf(json: string, changes: Partial<PatchedSurvey> = {}): string[] {
  try {
    readSurveyPatch(body(json), { ...survey, ...changes }, "enterprise");
  } catch (error) {
    return Object.keys((error as AppError).details);
  }
  return [];
}

test("only given settings change; null unsets", () => {
  const patch = '{"name":"New","active":0,"settings":{"display":{"theme":null},"navigation":{"showPrevious":false}}}';
  expect(readSurveyPatch(body(patch), survey, "free")).toEqual({
    fields: { name: "New" },
    settings: { display: {}, navigation: { showPrevious: false } },
    secrets: [],
  });
});

test("violations of every kind are reported at once", () => {
  const patch =
    '{"name":"","nmae":1,"active":1,"settings":{"display":{"progressStyle":"spiral","tehme":"dark"},"layout":{}}}';
  expect(violationsOf(patch).sort()).toEqual([
    "active",
    "name",
    "nmae",
    "settings.display.progressStyle",
    "settings.display.tehme",
    "settings.layout",
  ]);
});

test.each([
  ['{"active":1}', ["active"]],
  ['{"active":0}', []],
  ['{"active":true}', ["active"]],
  ['{"active":null}', ["active"]],
  ['{"active":"0"}', ["active"]],
  ['{"settings":null}', ["settings"]],
  ['{"settings":[]}', ["settings"]],
  ['{"settings":{"display":null}}', ["settings.display"]],
  ['{"settings":{"__proto__":{"theme":"dark"}}}', ["settings.__proto__"]],
  ['{"settings":{"display":{"__proto__":1}}}', ["settings.display.__proto__"]],
  ['{"__proto__":{"name":"x"}}', ["__proto__"]],
])("%s has violations at %j", (patch, paths) => {
  expect(violationsOf(patch)).toEqual(paths);
});

test("the violation of the first unknown setting lists the settings, that of the next one does not", () => {
  try {
    readSurveyPatch(body('{"settings":{"display":{"a":1,"b":1}}}'), survey, "free");
    expect.unreachable();
  } catch (error) {
    const messages = Object.values((error as AppError).details as Record<string, string[]>).flat();
    expect(messages[0]).toContain("settings.navigation.showPrevious");
    expect(messages[1]).not.toContain("settings.navigation.showPrevious");
  }
});

test("privacy cannot change once there are responses; repeating the current value is allowed", () => {
  const stored = { settings: { privacy: { anonymity: "full" } }, hasResponses: true };
  expect(violationsOf('{"settings":{"privacy":{"anonymity":"none"}}}', stored)).toEqual(["settings.privacy.anonymity"]);
  expect(violationsOf('{"settings":{"privacy":{"anonymity":"full"}}}', stored)).toEqual([]);
  expect(violationsOf('{"settings":{"privacy":{"anonymity":"none"}}}', { ...stored, hasResponses: false })).toEqual([]);
  const beside = '{"settings":{"privacy":{"anonymity":"none"},"display":{"theme":"pink"}}}';
  expect(violationsOf(beside, stored)).toEqual(["settings.display.theme", "settings.privacy.anonymity"]);
});

test("violations are reported before what the plan lacks", () => {
  expect(() => readSurveyPatch(body('{"name":1,"settings":{"privacy":{"anonymity":"full"}}}'), survey, "free")).toThrow(
    expect.objectContaining({ code: "validation_failed" }),
  );
});

test.each([
  ["{}", false],
  ['{"settings":{}}', false],
  ['{"settings":{"display":{}}}', false],
  ['{"settings":null}', true],
  ['{"settings":{"nope":1}}', true],
  ['{"nope":1}', true],
  ['{"__proto__":1}', true],
  ['{"active":0}', true],
])("%s has updates: %s", (patch, has) => {
  if (has) expect(() => requireSurveyUpdates(body(patch))).not.toThrow();
  else expect(() => requireSurveyUpdates(body(patch))).toThrow(expect.objectContaining({ code: "invalid_request" }));
});
