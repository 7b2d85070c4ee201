import { expect, test } from "vitest";
import { expectRefusal } from "../expected-shapes.ts";
import { completion, startRespondent } from "../small-survey.ts";
import { api, databases, survey } from "./troubled-system.ts";

/** The same write many times at once. */
export function testManyAtOnce(): void {
  test("50 creations with one key make one survey, and all get its answer", async () => {
    const before = await databases.countRows();
    const call = () =>
      api.call("POST", "/surveys", { body: { name: "Once" }, headers: { "idempotency-key": "fifty-at-once" } });
    const responses = await Promise.all(Array.from({ length: 50 }, call));
    const created = responses.filter(({ status }) => status === 201);
    expect(created.length).toBeGreaterThan(0);
    expect(new Set(created.map(({ raw }) => raw)).size).toBe(1);
    for (const response of responses) {
      if (response.status !== 201) expectRefusal(response, 409, "idempotency_in_progress");
    }
    const after = await databases.countRows();
    expect(after["survey.surveys"]! - before["survey.surveys"]!).toBe(1);
    expect(after["survey.idempotency_records"]! - before["survey.idempotency_records"]!).toBe(1);
    expect((await call()).raw).toBe(created[0]!.raw);
  });

  test("50 completions of one respondent complete it once: equal ones succeed, others are refused", async () => {
    const respondentId = await startRespondent(api, survey);
    const path = `/response/surveys/${survey.surveyId}`;
    const before = (await api.get(`${path}/aggregation`)).data.respondentStats.totalCompleted;
    const call = (_: unknown, index: number) =>
      api.call("POST", path, { body: completion(survey, respondentId, (index % 5) + 1) });
    const statuses = (await Promise.all(Array.from({ length: 50 }, call))).map(({ status }) => status);
    const accepted = statuses.flatMap((status, index) => (status === 200 ? [index % 5] : []));
    expect(accepted).toHaveLength(10);
    expect(new Set(accepted).size).toBe(1);
    expect(new Set(statuses)).toEqual(new Set([200, 422]));
    expect((await api.get(`${path}/aggregation`)).data.respondentStats.totalCompleted).toBe(before + 1);
  });
}
