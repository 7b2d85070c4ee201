import { completion, looseLookUps, recordHotStatements } from "@canvass/service/testing";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
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
