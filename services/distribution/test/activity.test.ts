import { ContactService } from "@canvass/proto/distribution-contacts";
import { newId } from "@canvass/values";
import { afterAll, beforeAll, expect, test } from "vitest";
import { purges } from "../src/purges.ts";
import { newWorkspace, refusal, startDistribution, surveyId, type Distribution } from "./distribution-fixture.ts";

let system: Distribution;
beforeAll(async () => void (system = await startDistribution()));
afterAll(() => system[Symbol.asyncDispose]());

const contacts = () => system.client(ContactService);

async function personalLink(w: string) {
  const { contact } = await contacts().createContact({ bodyJson: '{"externalId":"crm-1"}' }, system.as(w));
  const { contactId } = contact!;
  system.clock.advance(1_000);
  const { distributorId } = await system.createActive(w, { type: "personal_link" });
  const bodyJson = JSON.stringify({ contactIds: [contactId] });
  const { links } = await system.distributors.issueLinks({ distributorId, bodyJson }, system.as(w));
  return { contactId, distributorId, linkId: links[0]!.linkId };
}

async function walk(w: string, contactId: string, limit: number) {
  const seen: { kind: string; surveyId: string; respondentId: string; distributorId: string }[] = [];
  for (let cursor = "", more = true; more;) {
    const page = await contacts().listContactActivity({ contactId, limit, cursor }, system.as(w));
    seen.push(...page.activities);
    [cursor, more] = [page.nextCursor, page.hasMore];
  }
  return seen;
}

test("activity has issued and first opened links, and respondents, in one order for any page size", async () => {
  const w = newWorkspace();
  const { contactId, distributorId, linkId } = await personalLink(w);
  const link = { workspaceId: w, distributorId, linkId };
  for (let opened = 0; opened < 3; opened += 1) {
    system.clock.advance(1_000);
    await system.links.batchCountOpened({ opened: [link, link], links: [link, link] });
  }
  const started = new Date(system.clock.now().getTime() + 500);
  const respondentId = newId(started);
  const step = { surveyId, respondentId };
  system.others.steps.set(contactId, [
    { ...step, at: started, stepId: `${respondentId}0`, kind: "started" },
    { ...step, at: started, stepId: `${respondentId}1`, kind: "completed" },
  ]);
  system.clock.advance(1_000);
  await contacts().unsubscribeContact({ contactId }, system.as(w));
  const whole = await walk(w, contactId, 50);
  expect(whole.map(({ kind }) => kind)).toEqual([
    "unsubscribed",
    "respondent_completed",
    "respondent_started",
    "link_opened",
    "link_issued",
    "created",
  ]);
  expect(whole[1]).toMatchObject({ surveyId, respondentId, distributorId: "" });
  expect(whole[3]).toMatchObject({ distributorId, respondentId: "" });
  for (const limit of [1, 2, 3, 4]) expect(await walk(w, contactId, limit)).toEqual(whole);
});

test("the activity of an anonymized contact has no respondent, even before the response service has unlinked it", async () => {
  const w = newWorkspace();
  const { contactId, distributorId, linkId } = await personalLink(w);
  const at = system.clock.now();
  const respondentId = newId(at);
  system.others.steps.set(contactId, [{ at, stepId: `${respondentId}0`, kind: "started", surveyId, respondentId }]);
  expect((await walk(w, contactId, 50)).map(({ kind }) => kind)).toContain("respondent_started");
  system.clock.advance(1_000);
  await contacts().anonymizeContact({ contactId, bodyJson: '{"confirm":true}' }, system.as(w));
  const link = { workspaceId: w, distributorId, linkId };
  await system.links.batchCountOpened({ opened: [link], links: [link] });
  expect((await walk(w, contactId, 50)).map(({ kind }) => kind)).toEqual(["anonymized", "link_issued", "created"]);
});

test("without the response service activity is refused; the activity of a deleted contact is deleted", async () => {
  const w = newWorkspace();
  const { contactId } = await personalLink(w);
  system.others.isResponseAway = true;
  expect(await refusal(walk(w, contactId, 50))).toMatchObject({ code: "service_unavailable" });
  system.others.isResponseAway = false;
  await contacts().deleteContacts({ bodyJson: JSON.stringify({ ids: [contactId] }) }, system.as(w));
  expect(await refusal(walk(w, contactId, 50))).toMatchObject({ code: "contact_not_found" });
  expect(await system.sql("SELECT 1 FROM contact_activities WHERE contact_id = $1", [contactId])).toEqual([]);
});

test("activity is kept for 400 days", async () => {
  const w = newWorkspace();
  const { contactId } = await personalLink(w);
  const dayMs = 86_400_000;
  system.clock.advance(399 * dayMs);
  await contacts().unsubscribeContact({ contactId }, system.as(w));
  const purgeAll = async () => {
    for (const { keepMs, purge } of purges) {
      await purge({ query: system.sql }, new Date(system.clock.now().getTime() - keepMs), 1_000);
    }
  };
  await purgeAll();
  expect(await walk(w, contactId, 50)).toHaveLength(3);
  system.clock.advance(2 * dayMs);
  await purgeAll();
  expect(await walk(w, contactId, 50)).toMatchObject([{ kind: "unsubscribed" }]);
});
