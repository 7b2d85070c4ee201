import { newEvent } from "@canvass/events";
import type { Event } from "@canvass/proto/events";
import { completion } from "@canvass/service/testing";
import { waitFor } from "@canvass/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { startSurveyFixture } from "./survey-fixture.ts";

const fixture = await sharedByFile(startSurveyFixture());

const completed = (surveyId: string, workspaceId = "workspace0000001") => completion(workspaceId, new Date(), surveyId);

const handOver = (events: Event[]) => fixture.handOver(events, "response-counts");

async function countOf(surveyId: string): Promise<bigint> {
  return (await fixture.read(surveyId)).responseCount;
}

test("a batch counts for each of its surveys, and returns what it stored", async () => {
  const [a, b] = [await fixture.create({ name: "a" }), await fixture.create({ name: "b" })];
  const events = [completed(a.surveyId), completed(b.surveyId), completed(a.surveyId)];
  const storedEventIds = await handOver(events);
  expect(new Set(storedEventIds)).toEqual(new Set(events.map(({ eventId }) => eventId)));
  expect([await countOf(a.surveyId), await countOf(b.surveyId)]).toEqual([2n, 1n]);
});

test("an erased respondent does not count, also if its erasure comes before its completion", async () => {
  const { surveyId } = await fixture.create({ name: "erased" });
  const erased = newEvent({
    workspaceId: "workspace0000001",
    occurredAt: new Date(),
    body: { case: "responseErased", value: { surveyId } },
  });
  await handOver([erased, erased]);
  expect(await countOf(surveyId)).toBe(0n);
  await handOver([completed(surveyId), completed(surveyId)]);
  expect(await countOf(surveyId)).toBe(1n);
});

test("counting does not change the survey's ETag", async () => {
  const created = await fixture.create({ name: "tag" });
  await handOver([completed(created.surveyId)]);
  expect(await fixture.read(created.surveyId)).toEqual({ ...created, responseCount: 1n });
});

test("an event counts once however often it comes: again, twice in a batch, and by several paths at once", async () => {
  const { surveyId } = await fixture.create({ name: "once" });
  const events = Array.from({ length: 40 }, () => completed(surveyId));
  await handOver([...events, ...events]);
  await handOver(events);
  const more = Array.from({ length: 40 }, () => completed(surveyId));
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => handOver([...more.slice(index), ...more.slice(0, index)])),
  );
  expect(await countOf(surveyId)).toBe(80n);
});

test("many batches over the same surveys at once lose nothing", async () => {
  const surveys = await Promise.all(Array.from({ length: 6 }, (_, index) => fixture.create({ name: `s${index}` })));
  await Promise.all(
    Array.from({ length: 16 }, (_, index) => {
      const events = surveys.map(({ surveyId }) => completed(surveyId));
      return handOver(index % 2 === 0 ? events : events.toReversed());
    }),
  );
  for (const { surveyId } of surveys) expect(await countOf(surveyId)).toBe(16n);
});

test("an editor who holds the survey does not keep responses from being counted", async () => {
  const { surveyId } = await fixture.create({ name: "held" });
  const editing = fixture.sql(
    `DO $$ BEGIN PERFORM 1 FROM surveys WHERE survey_id = '${surveyId}' FOR UPDATE; PERFORM pg_sleep(60); END $$`,
  );
  const ended = editing.catch((error: Error) => error.message);
  const sleeping = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()";
  await waitFor(async () => (await fixture.sql(sleeping)).length > 0, { describe: "the survey to be held" });
  await handOver([completed(surveyId)]);
  expect(await fixture.sql(`SELECT pg_cancel_backend(pid) AS held FROM (${sleeping})`)).toEqual([{ held: true }]);
  expect(await ended).toBe("canceling statement due to user request");
  expect(await countOf(surveyId)).toBe(1n);
});

test("an event about a survey that is not there, or of another workspace, is settled and counts for nothing", async () => {
  const { surveyId } = await fixture.create({ name: "mine" });
  const events = [completed("0000000000000000"), completed(surveyId, "workspace0000002")];
  expect(await handOver(events)).toHaveLength(2);
  expect(await countOf(surveyId)).toBe(0n);
});

test("an event of a type that this consumer does not consume does not hold up the others", async () => {
  const { surveyId } = await fixture.create({ name: "mixed" });
  const body = { case: "tokenRevoked", value: { tokenId: "token00000000001" } } as const;
  const odd = newEvent({ workspaceId: "workspace0000001", occurredAt: new Date(), body });
  await handOver([odd, completed(surveyId)]).catch(() => undefined);
  expect(await countOf(surveyId)).toBe(1n);
});
