import { expect, test } from "vitest";
import type { ApiResponse } from "../src/index.ts";
import { createLargestSurvey } from "./largest-survey.ts";
import { expectNoBlockedLoops } from "./loop-blocks.ts";
import { shareSystem } from "./shared-system.ts";

const shared = await shareSystem();
expectNoBlockedLoops(() => shared.demo.system);

test("the largest draft is compared, published, backed up and restored, and blocks no event loop", async ({
  annotate,
}) => {
  const { api } = shared.demo;
  const { surveyId } = await createLargestSurvey(api);
  const survey = `/surveys/${surveyId}`;
  const times: Record<string, number> = {};
  async function timeCall(name: string, method: string, path: string): Promise<ApiResponse> {
    const begun = performance.now();
    const answer = await api.call(method, `${survey}${path}`, { headers: { "if-match": "*" } });
    times[name] = Math.round(performance.now() - begun);
    expect(answer.status, `${name}: ${answer.raw}`).toBeLessThan(300);
    return answer;
  }

  await timeCall("publish", "POST", "/publish");
  const [version] = (await timeCall("versions", "GET", "/versions")).data;
  const snapshot = await timeCall("version", "GET", `/versions/${version.versionId}`);
  expect(snapshot.raw.length).toBeGreaterThan(3_000_000);
  const { data: elements } = await api.get(`${survey}/elements?limit=100`);
  const [first, second] = elements as [{ id: string; pageId: string }, { id: string }];
  for (const { id } of [first, second]) await api.call("DELETE", `/elements/${id}`);
  await timeCall("backup", "POST", "/draft/backups");
  expect((await timeCall("draft", "GET", "/draft")).data).toMatchObject({ state: "dirty", changeCount: 2 });
  expect((await timeCall("changes", "GET", "/publish/changes")).data.changes).toHaveLength(2);
  expect((await timeCall("validate", "POST", "/publish/validate")).data).toEqual({
    valid: true,
    issues: [],
    warnings: [],
  });
  const restored = await timeCall("restore", "POST", `/versions/${version.versionId}/restore`);
  expect(restored.data).toMatchObject({ questionCount: 1_000, hasUnpublishedChanges: false });
  await timeCall("restore back", "POST", `/draft/backups/${restored.data.backupId}/restore`);
  await timeCall("publish again", "POST", "/publish");

  await annotate(JSON.stringify(times));
});

test("the largest draft is unchanged after export and import of its document as JSON and YAML, and blocks no event loop", async ({
  annotate,
}) => {
  const { api } = shared.demo;
  const { surveyId } = await createLargestSurvey(api);
  const path = `/surveys/${surveyId}/document`;
  const figures: Record<string, number> = {};
  for (const type of ["application/json", "application/yaml"]) {
    const begun = performance.now();
    const document = await api.call("GET", path, { headers: { accept: type } });
    const etag = document.headers.get("etag")!;
    expect(document.status).toBe(200);
    const body = document.raw;
    const same = await api.call("PUT", path, { body, headers: { "content-type": type, "if-match": etag } });
    expect([same.status, same.headers.get("etag")]).toEqual([200, etag]);
    const copy = await api.call("POST", "/surveys/import", { body, headers: { "content-type": type } });
    expect([copy.status, copy.data.questionCount]).toEqual([201, 1_000]);
    const again = await api.call("GET", `/surveys/${copy.data.id}/document`, { headers: { accept: type } });
    expect(again.raw === body).toBe(true);
    figures[`${type} bytes`] = body.length;
    figures[`${type} ms`] = Math.round(performance.now() - begun);
  }
  await annotate(JSON.stringify(figures));
});
