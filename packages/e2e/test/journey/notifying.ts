import { waitFor } from "@canvass/testing";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import type { FeedEvent } from "../../src/index.ts";
import { anyId, anyTime, expectSuccess } from "../expected-shapes.ts";
import { completion, startRespondent } from "../small-survey.ts";
import { waitForItems } from "../wait-for-items.ts";
import { api, deliveries, demo, journeyState } from "./journey-system.ts";

/** Tests that a completion appears in webhook, feed, deliveries and counts. Runs after `collecting`. */
export function testNotifying(): void {
  test("the webhook arrives, signed, with exactly the documented event", async () => {
    const [delivery] = await waitFor(() => (deliveries.length > 0 ? deliveries : undefined), {
      describe: "the webhook",
    });
    const { method, path, headers, body } = delivery!;
    expect({ method, path }).toEqual({ method: "POST", path: "/hook" });
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["user-agent"]).toMatch(/^[A-Za-z]+-Webhooks\/1$/);
    expect(Math.abs(Number(headers["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(300);
    new Webhook(journeyState.secret).verify(body, headers as Record<string, string>);
    const { completedAt } = (
      await api.get(`/response/surveys/${journeyState.surveyId}/respondents/${journeyState.respondentId}`)
    ).data;
    expect(JSON.parse(body)).toEqual({
      type: "response.completed",
      timestamp: completedAt,
      data: {
        workspace_id: demo.system.local.workspaceId,
        survey_id: journeyState.surveyId,
        response_id: journeyState.respondentId,
        completed_at: completedAt,
      },
    });
  });

  test("the feed has the same event under the same id", async () => {
    const page = await waitForItems(api, "/events");
    const { headers, body } = deliveries[0]!;
    expectSuccess(page, 200, [
      { id: headers["webhook-id"], ...JSON.parse(body), cursor: expect.stringMatching(/^[A-Za-z0-9_.~-]+$/) },
    ]);
    const cursor = page.data[0].cursor;
    expect(page.body.pagination).toEqual({ cursor_next: cursor, hasMore: false });
    const end = await api.call("GET", `/events?cursor=${cursor}`);
    expectSuccess(end, 200, []);
    expect(end.body.pagination).toEqual({ cursor_next: cursor, hasMore: false });
  });

  test("the delivery is listed with its attempt", async () => {
    const path = `/event-subscriptions/${journeyState.webhookId}/deliveries`;
    const list = await waitForItems(api, `${path}?status=delivered`);
    expectSuccess(list, 200, [
      {
        id: anyId,
        event_id: deliveries[0]!.headers["webhook-id"],
        event_type: "response.completed",
        status: "delivered",
        created_at: anyTime,
        next_attempt_at: null,
        redelivery_of: null,
        attempts: [
          {
            number: 1,
            attempted_at: anyTime,
            duration_ms: expect.any(Number),
            outcome: "success",
            reason: null,
            status_code: 204,
            response_body: "",
          },
        ],
      },
    ]);
    expect(list.body.pagination).toEqual({ cursor_next: null, hasMore: false });
    const { data: webhook } = await api.get(`/event-subscriptions/${journeyState.webhookId}`);
    expect(webhook).toMatchObject({ consecutive_failures: 0, last_success_at: list.data[0].attempts[0].attempted_at });
    expect((await api.get(`${path}?status=failed`)).data).toEqual([]);
  });

  test("the survey counts the response", async () => {
    await waitFor(async () => (await api.get(`/surveys/${journeyState.surveyId}`)).data.responseCount === 1, {
      describe: "the response count of the survey",
    });
  });

  test("answers of a test token are left out of results and events", async () => {
    const { data } = await api.post("/tokens", { name: "test", scopes: ["full_access"], is_live: false });
    expect(data.token).toMatch(/^cvs_test_/);
    const asTest = { authorization: `Bearer ${data.token}` };
    const path = `/response/surveys/${journeyState.surveyId}`;
    const { respondentId } = (await api.post(`${path}/respondents`, {}, asTest)).data;
    const before = await api.get(`${path}/aggregation`);
    const submitted = await api.post(path, completion(journeyState, respondentId, 1), asTest);
    expect(submitted.data.respondentStatus).toBe("completed");
    expect((await api.get(`${path}/aggregation`)).data).toEqual(before.data);

    // Any events of test responses would come before the next live one.
    const live = await startRespondent(api, journeyState);
    await api.post(path, completion(journeyState, live));
    const { data: events } = await waitForItems(api, "/events", 2);
    expect(events.map((event: FeedEvent) => event.data.response_id)).toEqual([journeyState.respondentId, live]);
  });
}
