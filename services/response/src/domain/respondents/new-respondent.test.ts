import { expect, test } from "vitest";
import { firstIdOf } from "@canvass/values";
import { newRespondent } from "./new-respondent.ts";

test("the id of a respondent who starts at midnight UTC sorts between earlier and later starts", () => {
  const midnight = new Date("2026-03-02T00:00:00Z");
  const start = {
    workspaceId: "w".repeat(16),
    surveyId: "s".repeat(16),
    version: { versionId: "v".repeat(16), versionNumber: 1 },
    privacy: { anonymity: "none" as const, collectCountry: false },
    isTest: false,
    timeZone: "Europe/Berlin",
    now: midnight,
  };
  for (let times = 0; times < 20; times += 1) {
    const { respondentId, startedAt } = newRespondent(start);
    expect(respondentId >= firstIdOf(midnight)).toBe(true);
    expect(respondentId < firstIdOf(new Date(midnight.getTime() + 2))).toBe(true);
    expect(respondentId >= firstIdOf(startedAt)).toBe(true);
  }
});
