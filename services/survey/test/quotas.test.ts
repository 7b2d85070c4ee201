import { callOptions, type CallContext } from "@canvass/rpc";
import type { Quota } from "@canvass/questions";
import { auditEntries } from "@canvass/service/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { idempotent, question, refusal, signedPerson, startSurveyFixture } from "./survey-fixture.ts";

const fixture = await sharedByFile(startSurveyFixture());

const as = (context: CallContext = {}) => callOptions({ signedCaller: signedPerson(), ...context });

async function create() {
  const { surveyId } = await fixture.create({ name: "Quotas", questions: [question("Why?"), question("How?")] });
  const [asked] = await fixture.elements(surveyId);
  const elementId = String(asked!["id"]);
  const all = (name: string, rest: object = {}) => ({
    name,
    when: { elementId, operator: "answered" },
    limit: 3,
    onFull: "close",
    ...rest,
  });
  return { surveyId, elementId, all };
}

async function quotasOf(surveyId: string, context?: CallContext) {
  const { quotasJson, etag } = await fixture.client.getQuotas({ surveyId }, as(context));
  return { quotas: JSON.parse(quotasJson) as Quota[], etag };
}

async function replacing(surveyId: string, quotas: unknown, ifMatch = ["*"], context?: CallContext) {
  const bodyJson = JSON.stringify({ quotas });
  const { quotasJson, etag } = await fixture.client.replaceQuotas({ surveyId, ifMatch, bodyJson }, as(context));
  return { quotas: JSON.parse(quotasJson) as Quota[], etag };
}

const definitionOf = async (surveyId: string, versionId: string) =>
  JSON.parse((await fixture.client.getVersion({ surveyId, versionId }, as())).definitionJson) as { quotas?: Quota[] };

test("quotas of a draft are replaced as a whole, keep their ids by name, once per key, and are recorded", async () => {
  const { surveyId, all } = await create();
  const { quotas, etag } = await quotasOf(surveyId);
  expect(quotas).toEqual([]);
  const body = [all("a"), all("b", { onFull: "message", message: "Thanks." })];
  const call = idempotent("quotas-1", { quotas: body });
  const first = await replacing(surveyId, body, [etag], call.context);
  expect(await replacing(surveyId, body, [etag], call.context)).toEqual(first);
  expect(await quotasOf(surveyId)).toEqual(first);
  expect(first.quotas).toMatchObject([{ name: "a", limit: 3, message: null }, { name: "b" }]);
  const entries = await auditEntries(fixture.sql);
  expect(entries.findLast(({ resourceId }) => resourceId === surveyId)).toMatchObject({
    action: "survey.quotas_replaced",
    beforeJson: JSON.stringify({ quotas: [] }),
  });
  const second = await replacing(surveyId, [all("B", { limit: 9 }), all("c")], [first.etag]);
  expect(second.quotas[0]).toMatchObject({ quotaId: first.quotas[1]!.quotaId, name: "B", limit: 9 });
  expect(await replacing(surveyId, [all("B", { limit: 9 }), all("c")])).toEqual(second);
  expect(await refusal(replacing(surveyId, [], [etag]))).toMatchObject({ code: "precondition_failed" });
  expect(await refusal(replacing(surveyId, [], []))).toMatchObject({ code: "precondition_required" });
});

test("wrong quotas are refused with every violation, and write nothing", async () => {
  const { surveyId, all } = await create();
  const before = await quotasOf(surveyId);
  const when = { elementId: "absent0000000000", operator: "answered" };
  expect(await refusal(replacing(surveyId, [all("a"), all("A"), all("c", { when })]))).toMatchObject({
    code: "validation_failed",
    details: {
      "quotas.1.name": ["is the name of another quota"],
      "quotas.2.when.elementId": ["must name a question of the survey"],
    },
  });
  expect(await refusal(replacing(surveyId, [all("a", { limit: 0 }), {}]))).toMatchObject({ code: "validation_failed" });
  expect(await refusal(replacing(surveyId, "x"))).toMatchObject({ code: "validation_failed" });
  const long = { elementId: all("a").when.elementId, operator: "contains", value: "x".repeat(4_000) };
  const heavy = Array.from({ length: 22 }, (_, at) =>
    all(`q${at}`, { when: { all: Array.from({ length: 50 }, () => long) } }),
  );
  expect(await refusal(replacing(surveyId, heavy))).toMatchObject({
    code: "validation_failed",
    details: { quotas: [expect.stringContaining("bytes of JSON")] },
  });
  expect(await quotasOf(surveyId)).toEqual(before);
  const stranger = { signedCaller: signedPerson({ workspaceId: "anotherworkspac0" }) };
  expect(await refusal(quotasOf(surveyId, stranger))).toMatchObject({ code: "survey_not_found" });
  expect(await refusal(replacing(surveyId, [], ["*"], stranger))).toMatchObject({ code: "survey_not_found" });
});

test("quotas are part of versions, changes and documents, in which they keep their ids by name", async () => {
  const { surveyId, all } = await create();
  const { quotas } = await replacing(surveyId, [all("a")]);
  const { versionId } = await fixture.publish(surveyId);
  expect((await definitionOf(surveyId, versionId)).quotas).toEqual(quotas);
  await replacing(surveyId, [all("b")]);
  expect((await fixture.changes(surveyId)).changes.map(({ kind }) => kind)).toEqual(["quota_added", "quota_removed"]);
  const { documentJson } = await fixture.client.getDocument({ surveyId, versionNumber: 0 }, as());
  const document = JSON.parse(documentJson) as { quotas: object[] };
  expect(document.quotas).toMatchObject([{ name: "b", limit: 3 }]);
  const changed = { ...document, quotas: [{ ...document.quotas[0], limit: 4 }] };
  const kept = (await quotasOf(surveyId)).quotas[0]!.quotaId;
  await fixture.client.replaceDocument({ surveyId, ifMatch: ["*"], bodyJson: JSON.stringify(changed) }, as());
  expect((await quotasOf(surveyId)).quotas).toMatchObject([{ quotaId: kept, name: "b", limit: 4 }]);
});

test("a question that a quota asks can be deleted, and the draft cannot be published then", async () => {
  const { surveyId, elementId, all } = await create();
  await replacing(surveyId, [all("a")]);
  await fixture.client.deleteElement({ elementId, ifMatch: ["*"] }, as());
  expect(await refusal(fixture.publish(surveyId))).toMatchObject({ code: "validation_failed" });
  await replacing(surveyId, []);
  await fixture.publish(surveyId);
});
