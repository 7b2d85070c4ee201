import { expect, test } from "vitest";
import { expectNoTrace } from "../databases.ts";
import { expectRefusal } from "../expected-shapes.ts";
import { createWorkspace } from "../second-workspace.ts";
import { api, databases, demo, survey } from "./troubled-system.ts";

/** Refused settings, plans and addresses. */
export function testSurveyRules(): void {
  test("a patch with one wrong value applies nothing, and the first unknown setting lists those there are", async () => {
    const answer = await expectNoTrace(databases, () =>
      api.call("PATCH", `/surveys/${survey.surveyId}`, {
        headers: { "if-match": "*" },
        body: { name: "Half", settings: { display: { progressStyle: "steps", glitter: 1 } } },
      }),
    );
    expectRefusal(answer, 422, "validation_failed");
    const { details } = answer.body.error!;
    expect(Object.keys(details)).toEqual(["settings.display.glitter"]);
    expect(details["settings.display.glitter"].join(" ")).toContain("display.progressStyle");
  });

  test("`active` cannot be patched", async () => {
    const headers = { "if-match": "*" };
    const path = `/surveys/${survey.surveyId}`;
    const refused = await expectNoTrace(databases, () => api.call("PATCH", path, { headers, body: { active: 0 } }));
    expectRefusal(refused, 422, "validation_failed", { active: [expect.any(String)] });
    expect((await api.call("PATCH", path, { headers, body: { active: 1 } })).status).toBe(200);
  });

  test("a plan's limits are 403 and say which plan is needed", async () => {
    await using small = await createWorkspace(demo.system, "free");
    const { data } = await small.api.post("/surveys", { name: "Small" });
    const questions = Array.from({ length: 11 }, (_, index) => ({ type: "yes_no", text: `Question ${index}?` }));
    await expectNoTrace(databases, async () => {
      const tooMany = await small.api.call("POST", `/surveys/${data.id}/questions`, { body: { questions } });
      expectRefusal(tooMany, 403, "quota_exceeded", { limit: 10, requested: 11, required_plan: "starter" });
      const settings = { privacy: { anonymity: "full" } };
      const locked = await small.api.call("PATCH", `/surveys/${data.id}`, {
        headers: { "if-match": "*" },
        body: { settings },
      });
      expectRefusal(locked, 403, "feature_locked");
      expect(locked.raw).toContain("enterprise");
      for (const [method, path] of [
        ["POST", "/event-subscriptions"],
        ["GET", "/events"],
      ] as const) {
        const answer = await small.api.call(method, path, method === "POST" ? { body: { name: "Feed" } } : {});
        expectRefusal(answer, 403, "feature_locked");
        expect(answer.raw).toContain("professional");
      }
    });
    expect((await small.api.get("/event-subscriptions")).data).toEqual([]);
  });

  test.each([
    "http://example.org/hook",
    "https://user:password@example.org/hook",
    "https://10.0.0.1/hook",
    "https://[::1]/hook",
    "https://169.254.169.254/latest",
    "https://no-such-host.invalid/hook",
    "ftp://example.org",
    "nonsense",
    `https://example.org/${"x".repeat(2048)}`,
  ])("a webhook may not be sent to %s", async (url) => {
    const body = { name: "Hook", url };
    const answer = await expectNoTrace(databases, () => api.call("POST", "/event-subscriptions", { body }));
    expect({ status: answer.status, code: answer.body.error?.code }).toEqual({
      status: 422,
      code: "validation_failed",
    });
    expect(Object.keys(answer.body.error!.details)).toEqual(["url"]);
  });
}
