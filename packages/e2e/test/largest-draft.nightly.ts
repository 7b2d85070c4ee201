import { expect, test } from "vitest";
import type { ApiResponse } from "../src/index.ts";
import { createLargestSurvey } from "./largest-survey.ts";
import { expectNoHolds } from "./loop-holds.ts";
import { shareSystem } from "./shared-system.ts";

const shared = shareSystem();
expectNoHolds(() => shared.demo.system);

test("the largest draft is compared, published, backed up and restored, and holds no event loop", async ({
  annotate,
}) => {
  const { api } = shared.demo;
  const { surveyId } = await createLargestSurvey(api);
  const survey = `/surveys/${surveyId}`;
  const times: Record<string, number> = {};
  async function timed(name: string, method: string, path: string): Promise<ApiResponse> {
    const begun = performance.now();
    const answer = await api.call(method, `${survey}${path}`, { headers: { "if-match": "*" } });
    times[name] = Math.round(performance.now() - begun);
    expect([name, answer.status < 300 ? "fine" : answer.raw]).toEqual([name, "fine"]);
    return answer;
  }

  await timed("publish", "POST", "/publish");
  const [version] = (await timed("versions", "GET", "/versions")).data;
  const snapshot = await timed("version", "GET", `/versions/${version.versionId}`);
  expect(snapshot.raw.length).toBeGreaterThan(3_000_000);
  const { data: elements } = await api.get(`${survey}/elements?limit=100`);
  const [first, second] = elements as [{ id: string; pageId: string }, { id: string }];
  for (const { id } of [first, second]) await api.call("DELETE", `/elements/${id}`);
  await timed("backup", "POST", "/draft/backups");
  expect((await timed("draft", "GET", "/draft")).data).toMatchObject({ state: "dirty", changeCount: 2 });
  expect((await timed("changes", "GET", "/publish/changes")).data.changes).toHaveLength(2);
  expect((await timed("validate", "POST", "/publish/validate")).data).toEqual({ valid: true, issues: [] });
  const restored = await timed("restore", "POST", `/versions/${version.versionId}/restore`);
  expect(restored.data).toMatchObject({ questionCount: 1_000, hasUnpublishedChanges: false });
  await timed("restore back", "POST", `/draft/backups/${restored.data.backupId}/restore`);
  await timed("publish again", "POST", "/publish");

  await annotate(JSON.stringify(times));
});
