import type { Sql } from "@canvass/postgres";
import { completion, looseLookUps, recordHotStatements } from "@canvass/service/testing";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { findWeighedPages } from "../src/storage/draft.ts";
import { listPages } from "../src/storage/list-pages.ts";
import { question, startSurveyFixture } from "./survey-fixture.ts";

const migrations = fileURLToPath(new URL("../prisma/migrations", import.meta.url));

test("hot statements find rows by whole keys soon after empty tables were filled; a survey's versions by their survey", async () => {
  using hot = recordHotStatements();
  await using fixture = await startSurveyFixture();
  const workspaceId = "workspace0000001";
  const { surveyId } = await fixture.create({ name: "Lunch", questions: [question("How was it?")] });
  await fixture.publish(surveyId);
  await fixture.read(surveyId);
  await fixture.elements(surveyId);
  await fixture.client.batchGetCollections({ surveys: [{ workspaceId, surveyId }] });
  await fixture.client.batchGetVersions({ versions: [{ workspaceId, surveyId, versionId: surveyId }] });
  await fixture.handOver([completion(workspaceId, new Date(), surveyId)], "response-counts");
  expect(hot.texts.size).toBe(6);
  expect(await looseLookUps(migrations, hot.texts)).toEqual([
    "versions by versions_workspace_id_survey_id_version_number_key (workspace_id, survey_id)",
  ]);
});

test("the questions of pages are found by their survey, not among all of the workspace", async () => {
  const texts: string[] = [];
  const sql: Sql = { query: async (text) => (texts.push(text), []) };
  for (const find of [findWeighedPages, listPages]) await find(sql, { workspaceId: "w", surveyId: "s" });
  const lookUps = await looseLookUps(migrations, texts);
  expect(lookUps.filter((each) => each.startsWith("elements "))).toEqual([
    expect.stringContaining("(workspace_id, survey_id"),
  ]);
});

test("a deleted page finds its elements by its id, not among all of the workspace", async () => {
  // As the foreign key looks for them.
  const ofPage = "SELECT 1 FROM elements WHERE workspace_id = $1 AND page_id = $2";
  expect(await looseLookUps(migrations, [ofPage])).toEqual([
    "elements by elements_workspace_id_page_id_idx (workspace_id, page_id)",
  ]);
});
