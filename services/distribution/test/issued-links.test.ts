import { ContactService } from "@canvass/proto/distribution-contacts";
import { mostIssuedLinks } from "@canvass/inputs";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { idempotency, newWorkspace, refusal, startDistribution, type Distribution } from "./distribution-fixture.ts";

let system: Distribution;
beforeAll(async () => void (system = await startDistribution()));
afterAll(() => system[Symbol.asyncDispose]());

const issue = (w: string, distributorId: string, body: unknown, options = {}) =>
  system.distributors.issueLinks({ distributorId, bodyJson: JSON.stringify(body) }, system.as(w, options));
const list = (w: string, distributorId: string, limit: number, cursor = "") =>
  system.distributors.listIssuedLinks({ distributorId, limit, cursor }, system.as(w));

test("single-use links are issued, listed page by page with their use, and found by their codes", async () => {
  const w = newWorkspace();
  const { distributorId, etag } = await system.createActive(w, { type: "single_use_link" });
  const { links } = await issue(w, distributorId, { count: 5 });
  expect(new Set(links.map(({ code }) => code)).size).toBe(5);
  for (const { code, contactId, usedAt } of links) expect([code.length, contactId, usedAt]).toEqual([22, "", ""]);
  const [first] = links;
  system.others.uses.set(first!.linkId, { respondentId: "r", usedAt: "2026-03-01T12:00:00.000Z", status: "started" });
  const seen: { linkId: string; usedAt: string }[] = [];
  let cursor = "";
  do {
    const page = await list(w, distributorId, 2, cursor);
    seen.push(...page.links);
    cursor = page.nextCursor;
  } while (cursor !== "");
  expect(seen.map(({ linkId }) => linkId)).toEqual(links.map(({ linkId }) => linkId).sort());
  expect(seen.filter(({ usedAt }) => usedAt !== "").map(({ linkId }) => linkId)).toEqual([first!.linkId]);
  expect(await system.linkOf(first!.code)).toMatchObject({ found: true, distributorId, linkId: first!.linkId });
  const value = { workspaceId: w, distributorId, linkId: first!.linkId };
  const found = await system.links.batchGetLinks({ links: [{ by: { case: "issuedLink", value } }] });
  expect(found.links[0]).toMatchObject({ found: true, type: "single_use_link", linkId: first!.linkId });
  // An issue makes no edit stale.
  expect(await system.get(w, distributorId)).toMatchObject({ issuedLinks: 5, etag });
  const entry = (await system.audited(w)).at(-1)!;
  expect([entry.action, entry.afterJson]).toEqual(["distributor.links_issued", '{"links":5}']);
});

test("a type takes its own field, and links and embeds none", async () => {
  const w = newWorkspace();
  const violationsOf = async (type: string, body: unknown) =>
    Object.keys((await refusal(issue(w, (await system.create(w, { type })).distributorId, body))).details);
  const contactIds = ["contact000000001"];
  expect(await violationsOf("link", { count: 1 })).toEqual(["count"]);
  expect(await violationsOf("embed", { count: 1, contactIds })).toEqual(["count", "contactIds"]);
  expect(await violationsOf("single_use_link", { contactIds })).toEqual(["contactIds", "count"]);
  expect(await violationsOf("single_use_link", {})).toEqual(["count"]);
  expect(await violationsOf("single_use_link", { count: 0, more: 1 })).toEqual(["count", "more"]);
  expect(await violationsOf("single_use_link", { count: 1_001 })).toEqual(["count"]);
  expect(await violationsOf("personal_link", { count: 1 })).toEqual(["count", "contactIds"]);
});

test("a distributor gets a hundred thousand links at most, however many are issued at once; a closed one none", async () => {
  const w = newWorkspace();
  const { distributorId } = await system.createActive(w, { type: "single_use_link" });
  await system.sql("UPDATE distributors SET issued_links = $2 WHERE workspace_id = $1", [w, mostIssuedLinks - 5]);
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => issue(w, distributorId, { count: 1 })));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  expect(await refusal(issue(w, distributorId, { count: 2 }))).toMatchObject({
    code: "quota_exceeded",
    details: { limit: mostIssuedLinks, requested: mostIssuedLinks + 2, unit: "links" },
  });
  const other = await system.createActive(w, { type: "single_use_link" });
  await system.move(w, other.distributorId, "close");
  expect(await refusal(issue(w, other.distributorId, { count: 1 }))).toMatchObject({ code: "invalid_transition" });
});

test("a repetition with its key gets the same links", async () => {
  const w = newWorkspace();
  const { distributorId } = await system.create(w, { type: "single_use_link" });
  const options = { idempotency: idempotency("k", "") };
  const first = await issue(w, distributorId, { count: 1_000 }, options);
  expect(await issue(w, distributorId, { count: 1_000 }, options)).toEqual(first);
  expect((await system.get(w, distributorId)).issuedLinks).toBe(1_000);
});

describe("personal links", () => {
  const contact = async (w: string, fields: object = {}) => {
    const client = system.client(ContactService);
    const bodyJson = JSON.stringify({ email: `${randomUUID()}@example.com`, ...fields });
    return (await client.createContact({ bodyJson }, system.as(w))).contact!.contactId;
  };

  test("belong to a contact each, in the order of the request; a second call changes nothing", async () => {
    const w = newWorkspace();
    const { distributorId } = await system.createActive(w, { type: "personal_link" });
    const [one, two, three] = [await contact(w, { language: "de" }), await contact(w), await contact(w)];
    const { links } = await issue(w, distributorId, { contactIds: [two, one] });
    expect(links.map(({ contactId }) => contactId)).toEqual([two, one]);
    system.others.uses.set(links[0]!.linkId, { respondentId: "r", usedAt: "2026-03-01", status: "started" });
    const again = await issue(w, distributorId, { contactIds: [one, two, three] });
    expect(again.links.map(({ code }) => code).slice(0, 2)).toEqual([links[1]!.code, links[0]!.code]);
    expect(again.links.map(({ usedAt }) => usedAt)).toEqual(["", "2026-03-01", ""]);
    expect((await system.get(w, distributorId)).issuedLinks).toBe(3);
    const audits = (await system.audited(w)).filter(({ action }) => action === "distributor.links_issued");
    expect(audits.map(({ afterJson }) => afterJson)).toEqual(['{"links":2}', '{"links":1}']);
    expect(await system.linkOf(links[1]!.code)).toMatchObject({ contactId: one, language: "de" });
  });

  test("need contacts of the workspace that are not anonymized, each once", async () => {
    const w = newWorkspace();
    const { distributorId } = await system.create(w, { type: "personal_link" });
    const [mine, gone, foreign] = [await contact(w), await contact(w), await contact(newWorkspace())];
    await anonymize(w, gone);
    const contactIds = [mine, foreign, "0".repeat(16), gone, mine];
    expect(Object.keys((await refusal(issue(w, distributorId, { contactIds }))).details)).toEqual(
      [1, 2, 3, 4].map((place) => `contactIds.${place}`),
    );
    expect(Object.keys((await refusal(issue(w, distributorId, { contactIds: ["x"] }))).details)).toEqual([
      "contactIds.0",
    ]);
    expect((await system.get(w, distributorId)).issuedLinks).toBe(0);
  });

  test("links of an anonymized or deleted contact do not work", async () => {
    const w = newWorkspace();
    const { distributorId } = await system.createActive(w, { type: "personal_link" });
    const [one, two] = [await contact(w), await contact(w)];
    const { links } = await issue(w, distributorId, { contactIds: [one, two] });
    const found = async () => [await system.linkOf(links[0]!.code), await system.linkOf(links[1]!.code)];
    expect((await found()).map((link) => link.found)).toEqual([true, true]);
    await anonymize(w, one);
    await system.sql("DELETE FROM contacts WHERE workspace_id = $1 AND contact_id = $2", [w, two]);
    expect((await found()).map((link) => link.found)).toEqual([false, false]);
  });

  test("are one for a contact, however many ask at once", async () => {
    const w = newWorkspace();
    const { distributorId } = await system.createActive(w, { type: "personal_link" });
    const contactIds = [await contact(w), await contact(w)];
    const answers = await Promise.all(Array.from({ length: 12 }, () => issue(w, distributorId, { contactIds })));
    expect(new Set(answers.flatMap(({ links }) => links.map(({ code }) => code))).size).toBe(2);
    expect((await system.get(w, distributorId)).issuedLinks).toBe(2);
  });
});

/** Sets the status, which links depend on, as `anonymizeContact` does. */
const anonymize = (w: string, contactId: string) =>
  system.sql("UPDATE contacts SET status = 'anonymized' WHERE workspace_id = $1 AND contact_id = $2", [w, contactId]);
