import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testId, workspaceId } from "./harness.ts";
import { finished, startLinkHarness, type LinkHarness } from "./link-harness.ts";

let harness: LinkHarness;
beforeAll(async () => void (harness = await startLinkHarness()));
afterAll(() => harness[Symbol.asyncDispose]());

const personal = (link: string, contact: string) => ({
  type: "personal_link",
  linkId: testId(link),
  contactId: testId(contact),
});

async function walk(contact: string, limit: number) {
  const seen: string[] = [];
  for (let before: object | undefined; ;) {
    const asked = { workspaceId, contactId: testId(contact), limit, ...(before && { before }) };
    const { steps } = await harness.linkClient.listContactRespondents(asked);
    seen.push(
      ...steps.map(({ at, kind, respondentId }) => `${timestampDate(at!).toISOString()} ${kind} ${respondentId}`),
    );
    if (steps.length < limit) return seen;
    before = steps.at(-1);
  }
}

test("the activity of a contact's respondents is listed newest first, for any page size, without others and tests", async () => {
  const expected: string[] = [];
  for (const [index, link] of ["one", "two", "three", "four"].entries()) {
    // The first two do all in one millisecond.
    if (index > 1) harness.clock.advance(1_000);
    const came = await harness.startGuest(harness.addLink(link, personal(link, "ada")));
    expected.push(`${harness.clock.now().toISOString()} started ${came.respondentId}`);
    if (index === 3) continue;
    await harness.answer(came, finished);
    expected.push(`${harness.clock.now().toISOString()} completed ${came.respondentId}`);
  }
  await harness.startGuest(harness.addLink("other", personal("other", "bob")));
  const { respondentId } = await harness.startGuest(harness.addLink("test", personal("test", "ada")));
  await harness.pool.query("UPDATE respondents SET is_test = true WHERE respondent_id = $1", [respondentId]);
  const whole = await walk("ada", 100);
  expect(whole.toSorted()).toEqual(expected.toSorted());
  const times = whole.map((step) => step.slice(0, 24));
  expect(times).toEqual(times.toSorted().toReversed());
  for (const limit of [1, 2, 3, 4]) expect(await walk("ada", limit)).toEqual(whole);
  expect(await walk("nobody", 10)).toEqual([]);
});

test.each(["partial", "full"])("with %s anonymity there is no activity", async (anonymity) => {
  harness.survey.settings = { privacy: { anonymity } };
  const came = await harness.startGuest(harness.addLink(anonymity, personal(anonymity, `p${anonymity}`)));
  await harness.answer(came, finished);
  expect(await walk(`p${anonymity}`, 10)).toEqual([]);
});
