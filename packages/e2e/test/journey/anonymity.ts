import { waitFor } from "@canvass/testing";
import { expect, test } from "vitest";
import { readFeed, type Json } from "../../src/index.ts";
import { completion, publishSmallSurvey, startRespondent, type SmallSurvey } from "../small-survey.ts";
import { api, journeyState } from "./journey-system.ts";

/** Full anonymity: later readers see only the day, for respondents who completed and for those who did not. */
export function testAnonymity(): void {
  const midnight = /T00:00:00\.000Z$/;
  let survey: SmallSurvey;
  let path: string;
  let respondentId: string;
  let event: Json;

  test("a completion tells the day only, in feed and respondent", async () => {
    survey = await publishSmallSurvey(api, "Anonymous");
    path = `/response/surveys/${survey.surveyId}`;
    const settings = { privacy: { anonymity: "full" } };
    await api.patch(`/surveys/${survey.surveyId}`, { settings }, { "if-match": "*" });
    respondentId = await startRespondent(api, survey);
    await api.post(path, completion(survey, respondentId));
    event = await waitFor(
      async () => (await readFeed(api)).events.find(({ data }) => data.response_id === respondentId),
      { describe: "the anonymous completion" },
    );
    expect(event.data.completed_at).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(event.timestamp).toBe(`${event.data.completed_at}T00:00:00.000Z`);
    const read = await api.get(`${path}/respondents/${respondentId}`);
    expect(read.data.completedAt).toBe(event.data.completed_at);
    expect(read.data.startedAt).toMatch(midnight);
  });

  test("the delivery of that completion tells the day only", async () => {
    const delivery = await waitFor(
      async () => {
        const { data } = await api.get(`/event-subscriptions/${journeyState.webhookId}/deliveries?status=delivered`);
        return data.find(({ event_id: eventId }: Json) => eventId === event.id);
      },
      { describe: "the delivery" },
    );
    expect([delivery.created_at, delivery.attempts[0].attempted_at]).toEqual([event.timestamp, event.timestamp]);
  });

  test("who does not complete is shown with days, too, at the start and in lists", async () => {
    const { data: contact } = await api.post("/contacts", { externalId: "somebody" });
    const { data: started } = await api.post(`${path}/respondents`, { contactId: contact.id });
    await api.post(path, { ...completion(survey, started.respondentId), metadata: { complete: false } });
    const { data: listed } = await api.get(`${path}/respondents?status=started&include=answers`);
    expect(listed).toHaveLength(1);
    expect(listed[0]).toMatchObject({ respondentId: started.respondentId, contactId: null, completedAt: null });
    const { data: answers } = await api.get(`${path}?respondentId=${started.respondentId}`);
    const times = [started, listed[0]].map(({ startedAt }: Json) => startedAt);
    times.push(...[...listed[0].answers, ...answers].map(({ submittedAt }: Json) => submittedAt));
    for (const time of times) expect(time).toMatch(midnight);
  });
}
