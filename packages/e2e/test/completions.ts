import { waitFor } from "@canvass/testing";
import pLimit from "p-limit";
import { expect } from "vitest";
import { readFeed, type ApiClient, type DemoSystem } from "../src/index.ts";
import { insist } from "../src/insist.ts";
import { completion, publishSmallSurvey, type SmallSurvey } from "./small-survey.ts";

/** Completes respondents of one survey and checks their events in feed and webhook. */
export interface Completions {
  survey: SmallSurvey;
  /**
   * Starts and completes `count` respondents, 16 at a time. Repeats each write with its key until it has a final
   * response. Returns their ids. Throws on a response that must not be repeated.
   */
  complete(count: number): Promise<string[]>;
  /** Completes respondents while `work` runs. Returns their ids. */
  completeDuring(work: () => Promise<void>): Promise<string[]>;
  /** Waits until every completion has arrived, and asserts that each is in the feed once and reached the webhook. */
  expectAllArrived(): Promise<void>;
}

/** Publishes a survey, and subscribes the demo's receiver and a feed. */
export async function followCompletions({ api, receiver }: DemoSystem): Promise<Completions> {
  const survey = await publishSmallSurvey(api);
  const webhook = await api.post("/event-subscriptions", { name: "Hook", url: receiver.url });
  await api.post("/event-subscriptions", { name: "Feed" });
  receiver.trust(webhook.data.secret);
  const completed: string[] = [];

  async function completeOne(rating: number): Promise<string> {
    const path = `/response/surveys/${survey.surveyId}`;
    const started = await insist(api, `${path}/respondents`, {});
    const { respondentId } = started.data;
    const submitted = await insist(api, path, completion(survey, respondentId, rating));
    expect(submitted.data?.respondentStatus, submitted.raw).toBe("completed");
    completed.push(respondentId);
    return respondentId;
  }

  async function complete(count: number): Promise<string[]> {
    const respondents: string[] = [];
    await pLimit(16).map(Array.from({ length: count }), async (_item, index) => {
      respondents.push(await completeOne(1 + (index % 5)));
    });
    return respondents;
  }

  return {
    survey,
    complete,
    async completeDuring(work) {
      const ended = new AbortController();
      const working = work().finally(() => ended.abort());
      const respondents: string[] = [];
      while (!ended.signal.aborted) respondents.push(...(await complete(32)));
      await working;
      return respondents;
    },
    async expectAllArrived() {
      const expected = completed.toSorted();
      await waitFor(() => isSubset(expected, webhookResponses(receiver)), {
        describe: "every completion at the webhook",
      });
      await waitFor(async () => isSubset(expected, new Set(await feedResponses(api))), {
        describe: "every completion in the feed",
      });
      // Each completion once, in any order, and nothing else.
      expect((await feedResponses(api)).sort()).toEqual(expected);
      expect(receiver.rejected).toBe(0);
    },
  };
}

const isSubset = (part: readonly string[], whole: ReadonlySet<string>) => part.every((item) => whole.has(item));

function webhookResponses({ events }: DemoSystem["receiver"]): Set<string> {
  return new Set([...events.values()].map(({ data }) => data["response_id"]!));
}

async function feedResponses(api: ApiClient): Promise<string[]> {
  return (await readFeed(api)).events.map(({ data }) => data.response_id);
}
