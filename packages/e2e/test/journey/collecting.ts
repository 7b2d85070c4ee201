import { expect, test } from "vitest";
import { anyId, anyTime, expectSuccess } from "../expected-shapes.ts";
import { api, demo, journeyState } from "./journey-system.ts";

/** Steps of the journey: subscribe, answer, list, aggregate. */
export function testCollecting(): void {
  test("a webhook shows its secret once, a feed has none", async () => {
    const subscription = {
      id: anyId,
      event_types: ["response.completed"],
      status: "active",
      status_reason: null,
      consecutive_failures: 0,
      last_success_at: null,
      created_at: anyTime,
      updated_at: anyTime,
    };
    const { url } = demo.receiver;
    const webhook = await api.call("POST", "/event-subscriptions", { body: { name: "Lunch hook", url } });
    const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/);
    expectSuccess(webhook, 201, { ...subscription, name: "Lunch hook", mode: "push", url, secret });
    const feed = await api.call("POST", "/event-subscriptions", { body: { name: "Lunch feed" } });
    expectSuccess(feed, 201, { ...subscription, name: "Lunch feed", mode: "pull" });

    const { secret: shownOnce, ...shown } = webhook.data;
    const list = await api.call("GET", "/event-subscriptions");
    expectSuccess(list, 200, expect.arrayContaining([shown, feed.data]));
    expect(list.raw).not.toContain("whsec_");
    expectSuccess(await api.call("GET", `/event-subscriptions/${shown.id}`), 200, shown);
    demo.receiver.trust(shownOnce);
    Object.assign(journeyState, { secret: shownOnce, webhookId: shown.id });
  });

  test("a respondent starts on the published version and submits page by page", async () => {
    const path = `/response/surveys/${journeyState.surveyId}`;
    const started = await api.call("POST", `${path}/respondents`, { body: {} });
    const orderSeed = expect.any(Number) as number;
    expectSuccess(started, 201, {
      respondentId: anyId,
      status: "started",
      versionNumber: 1,
      startedAt: anyTime,
      orderSeed,
      ignored: 0,
    });
    journeyState.respondentId = started.data.respondentId;

    const { data: elements } = await api.get(`/surveys/${journeyState.surveyId}/elements`);
    const [firstPage, , lastPage] = elements.map(({ pageId }: { pageId: string }) => pageId);
    const body = {
      respondentId: journeyState.respondentId,
      pageId: firstPage,
      responses: [
        { elementId: journeyState.ratingId, type: "rating", value: 4, meta: { seconds: 3 } },
        { elementId: journeyState.choiceId, type: "multiple_choice", value: journeyState.choices[0] },
      ],
    };
    const submitted = await api.call("POST", path, { body });
    const answer = { id: anyId, status: "submitted", submittedAt: anyTime };
    expectSuccess(submitted, 200, {
      respondentId: journeyState.respondentId,
      respondentStatus: "started",
      responses: [
        { ...answer, elementId: journeyState.ratingId },
        { ...answer, elementId: journeyState.choiceId },
      ],
    });
    expectSuccess(await api.call("GET", `${path}/respondents/${journeyState.respondentId}`), 200, {
      respondentId: journeyState.respondentId,
      surveyId: journeyState.surveyId,
      status: "started",
      versionNumber: 1,
      progress: { pageId: firstPage, percentComplete: 66 },
      startedAt: started.data.startedAt,
      completedAt: null,
      isTest: false,
      language: null,
      distributorId: null,
      contactId: null,
      source: "collected",
      externalId: null,
      orderSeed,
      metadata: {},
      fields: {},
    });

    const last = { elementId: journeyState.textId, type: "short_text", value: "Good coffee." };
    const finished = await api.call("POST", path, {
      body: { respondentId: journeyState.respondentId, pageId: lastPage, responses: [last] },
    });
    expect(finished.data.respondentStatus).toBe("completed");
    const completed = await api.get(`${path}/respondents/${journeyState.respondentId}`);
    expect(completed.data).toMatchObject({
      status: "completed",
      progress: { pageId: lastPage, percentComplete: 100 },
      completedAt: anyTime,
    });
  });

  test("lists the respondent and its answers", async () => {
    const path = `/response/surveys/${journeyState.surveyId}`;
    const { data: answers, body } = await api.get(path);
    const values = answers.map(({ elementId, type, value }: AnswerShown) => ({ elementId, type, value }));
    expect(values).toEqual([
      { elementId: journeyState.ratingId, type: "rating", value: expect.any(Number) },
      { elementId: journeyState.choiceId, type: "multiple_choice", value: journeyState.choices[0] },
      { elementId: journeyState.textId, type: "short_text", value: "Good coffee." },
    ]);
    expect(body.pagination).toMatchObject({ total: 3, totalIsExact: true, page: 1, totalPages: 1, hasMore: false });
    const { data: respondents } = await api.get(`${path}/respondents?include=answers`);
    expect(respondents).toMatchObject([{ respondentId: journeyState.respondentId, status: "completed", answers }]);
  });

  test("the aggregation counts the response immediately", async () => {
    const read = await api.call("GET", `/response/surveys/${journeyState.surveyId}/aggregation`);
    const stats = { questionId: anyId, responseCount: 1, uniqueRespondents: 1 };
    const [yes, no] = journeyState.choices;
    expectSuccess(read, 200, {
      surveyId: journeyState.surveyId,
      basis: "counters",
      respondents: "started",
      respondentCount: 1,
      shares: "answered",
      includesOffPath: false,
      questionStats: [
        {
          ...stats,
          elementId: journeyState.ratingId,
          typeName: "rating",
          distribution: expect.objectContaining({ mean: 4, min: 4, max: 4 }),
        },
        {
          ...stats,
          elementId: journeyState.choiceId,
          typeName: "multiple_choice",
          distribution: { counts: expect.objectContaining({ [yes!]: 1 }) },
        },
        { ...stats, elementId: journeyState.textId, typeName: "short_text", distribution: {} },
      ],
      respondentStats: {
        totalStarted: 1,
        totalCompleted: 1,
        completionRate: 100,
        avgCompletionTime: expect.any(Number),
      },
      completionTrend: expect.any(Array),
    });
    expect(read.data.questionStats[1].distribution.counts[no!] ?? 0).toBe(0);
    const trend: { date: string; completions: number }[] = read.data.completionTrend;
    expect(trend).toHaveLength(30);
    expect(trend.map(({ date }) => date)).toEqual(lastDaysUntil(trend.at(-1)!.date, 30));
    expect(trend.reduce((sum, { completions }) => sum + completions, 0)).toBe(1);
  });
}

function lastDaysUntil(last: string, count: number): string[] {
  const end = Date.parse(`${last}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(end - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
}

interface AnswerShown {
  elementId: string;
  type: string;
  value: unknown;
}
