import { openPool } from "@canvass/postgres";
import type { SurveySettings } from "@canvass/questions";
import { expect, test } from "vitest";
import { createStartStore, type PermittedStart } from "../src/application/respondents/start-store.ts";
import { ratingQuestion, startHarness, surveyId, testId } from "./harness.ts";

const noDetails = { language: "", distributorId: "", contactId: "", country: "", metadata: {}, fields: {} };

function startIn(workspaceId: string): PermittedStart {
  const version = { versionId: testId("version1"), versionNumber: 1 };
  const privacy = { anonymity: "none", collectCountry: false } as SurveySettings["privacy"];
  return {
    start: { workspaceId, surveyId, version, privacy, isTest: false, timeZone: "Europe/Berlin" },
    details: noDetails,
    ignored: 0,
    // Nothing is stored of the survey.
    validatedAgainst: { survey: "0" },
    key: undefined,
    requestId: "",
    answeredAt: new Date(),
  };
}

test("a flood of starts in one workspace delays those of another by at most one commit", async () => {
  await using harness = await startHarness([[ratingQuestion("a")]]);
  // On one connection commits follow each other in the order in which their starts left.
  const connection = { url: harness.databaseUrl, poolSize: 1, applicationName: "first-starts" };
  await using opened = openPool({ ...connection, connectTimeoutMs: 60_000 });
  const storeStart = createStartStore(opened.pool, () => new Date(), undefined);
  const store = (start: PermittedStart) => storeStart(async () => start);
  let stored = 0;
  const flood = Array.from({ length: 1_000 }, () => store(startIn("workspace1000000")).then(() => (stored += 1)));
  const before = store(startIn("workspace2000000")).then(() => stored);
  await Promise.all([before, ...flood]);
  expect(await before).toBeLessThan(200);
});
