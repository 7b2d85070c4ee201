import { callOptions, type CallContext } from "@canvass/rpc";
import { auditEntries } from "@canvass/service/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { idempotent, question, refusal, signedPerson, startSurveyFixture } from "./survey-fixture.ts";

const fixture = await sharedByFile(startSurveyFixture());

const as = (context: CallContext = {}) => callOptions({ signedCaller: signedPerson(), ...context });
const customer = { name: "customer", type: "number" };
const source = { name: "utm_source", type: "text", default: "direct", allowAnonymous: true };

async function fieldsOf(surveyId: string, context?: CallContext) {
  const { fieldsJson, etag } = await fixture.client.getFields({ surveyId }, as(context));
  return { fields: JSON.parse(fieldsJson) as unknown, etag };
}

function replacing(surveyId: string, fields: unknown, ifMatch = ["*"], context?: CallContext) {
  const bodyJson = JSON.stringify({ fields });
  return fixture.client.replaceFields({ surveyId, ifMatch, bodyJson }, as(context));
}

const create = async (rest: object = {}) =>
  (await fixture.create({ name: "Fields", questions: [question("Why?", { name: "why" })], ...rest })).surveyId;
const definitionOf = async (surveyId: string, versionId: string) =>
  JSON.parse((await fixture.client.getVersion({ surveyId, versionId }, as())).definitionJson) as object;
const stateOf = async (surveyId: string) => (await fixture.client.getDraft({ surveyId }, as())).state;
const documentOf = async (surveyId: string, versionNumber = 0) =>
  JSON.parse((await fixture.client.getDocument({ surveyId, versionNumber }, as())).documentJson) as object;
const auditOf = async (surveyId: string) =>
  (await auditEntries(fixture.sql)).filter(({ resourceId }) => resourceId === surveyId);

test("fields of a draft are replaced as a whole, with the survey's tag, once per key, and recorded", async () => {
  const surveyId = await create({ fields: [customer] });
  const { fields, etag } = await fieldsOf(surveyId);
  expect(fields).toEqual([customer]);
  const call = idempotent("fields-1", { fields: [source] });
  const first = await replacing(surveyId, [source], [etag], call.context);
  expect(await replacing(surveyId, [source], [etag], call.context)).toEqual(first);
  expect(call.replays).toHaveLength(1);
  expect(await fieldsOf(surveyId)).toEqual({ fields: [source], etag: first.etag });
  expect((await auditOf(surveyId)).at(-1)).toMatchObject({
    action: "survey.fields_replaced",
    beforeJson: JSON.stringify({ fields: [customer] }),
    afterJson: JSON.stringify({
      fields: [{ name: "utm_source", type: "text", allowAnonymous: true, default: "direct" }],
    }),
  });
  const entries = (await auditOf(surveyId)).length;
  const same = await replacing(surveyId, [{ ...source }], [first.etag]);
  expect([same.etag, (await auditOf(surveyId)).length]).toEqual([first.etag, entries]);
  expect(await refusal(replacing(surveyId, [], [etag]))).toMatchObject({ code: "precondition_failed" });
  expect(await refusal(replacing(surveyId, [], []))).toMatchObject({ code: "precondition_required" });
});

test("wrong fields are refused with every violation, and write nothing", async () => {
  const surveyId = await create();
  const before = await fieldsOf(surveyId);
  const wrong = [
    { name: "__proto__", type: "date", more: 1 },
    { name: "a", type: "text", default: null },
  ];
  expect(await refusal(replacing(surveyId, wrong))).toMatchObject({
    code: "validation_failed",
    details: {
      "fields.0.name": [expect.stringContaining("a letter")],
      "fields.0.type": [expect.stringContaining("text, number")],
      "fields.0.more": [expect.any(String)],
      "fields.1.default": [expect.any(String)],
    },
  });
  const taken = [{ ...customer, name: "WHY" }, customer, { ...source, name: "Customer", default: 7 }];
  const details = {
    "fields.0.name": ["is the name of an element of the survey"],
    "fields.2.name": ["is the name of another field"],
    "fields.2.default": ["must be a text"],
  };
  expect(await refusal(replacing(surveyId, taken))).toMatchObject({ code: "validation_failed", details });
  const questions = [question("Why?", { name: "why" })];
  expect(await refusal(fixture.create({ name: "x", questions, fields: taken }))).toMatchObject({ details });
  const document = { ...(await documentOf(surveyId)), fields: taken };
  const request = { surveyId, ifMatch: ["*"], bodyJson: JSON.stringify(document) };
  expect(await refusal(fixture.client.replaceDocument(request, as()))).toMatchObject({ details });
  expect(await fieldsOf(surveyId)).toEqual(before);
  const stranger = { signedCaller: signedPerson({ workspaceId: "anotherworkspac0" }) };
  expect(await refusal(fieldsOf(surveyId, stranger))).toMatchObject({ code: "survey_not_found" });
  expect(await refusal(replacing(surveyId, [customer], ["*"], stranger))).toMatchObject({ code: "survey_not_found" });
});

test("the name of a field is unavailable for elements until the field is removed", async () => {
  const surveyId = await create({ fields: [customer] });
  const [element] = await fixture.elements(surveyId);
  const rename = () => fixture.edit(element!["id"], { edit: "settings", body: { settings: {}, name: "CUSTOMER" } });
  expect(await refusal(rename())).toMatchObject({ code: "validation_failed" });
  expect(await refusal(fixture.add(surveyId, { questions: [question("x", { name: "customer" })] }))).toMatchObject({
    code: "validation_failed",
  });
  await replacing(surveyId, []);
  expect((await rename()).element!.name).toBe("CUSTOMER");
});

test("fields are part of versions, changes, backups, restores and documents", async () => {
  const surveyId = await create({ fields: [customer] });
  const { versionId } = await fixture.publish(surveyId);
  expect(await definitionOf(surveyId, versionId)).toMatchObject({ fields: [customer] });
  await replacing(surveyId, [source]);
  expect(await stateOf(surveyId)).toBe("dirty");
  expect((await fixture.changes(surveyId)).changes.map(({ kind }) => kind)).toEqual(["field_added", "field_removed"]);
  await replacing(surveyId, [customer]);
  expect(await stateOf(surveyId)).toBe("clean");
  expect(await refusal(fixture.publish(surveyId))).toMatchObject({ code: "nothing_to_publish" });
  await replacing(surveyId, []);
  expect(await stateOf(surveyId)).toBe("dirty");
  const second = await fixture.publish(surveyId);
  expect(await definitionOf(surveyId, second.versionId)).not.toHaveProperty("fields");
  const { draft } = await fixture.client.restoreVersion({ surveyId, versionId, ifMatch: ["*"] }, as());
  expect((await fieldsOf(surveyId)).fields).toEqual([customer]);
  await fixture.client.restoreBackup({ surveyId, backupId: draft!.backup!.backupId, ifMatch: ["*"] }, as());
  expect((await fieldsOf(surveyId)).fields).toEqual([]);
  expect(await documentOf(surveyId, 1)).toMatchObject({ fields: [customer] });
  expect(await documentOf(surveyId, 2)).not.toHaveProperty("fields");
  const bodyJson = JSON.stringify({ ...(await documentOf(surveyId)), fields: [source] });
  const replaced = await fixture.client.replaceDocument({ surveyId, ifMatch: ["*"], bodyJson }, as());
  expect(await fieldsOf(surveyId)).toEqual({ fields: [source], etag: replaced.survey!.etag });
  const again = await fixture.client.replaceDocument({ surveyId, ifMatch: ["*"], bodyJson }, as());
  expect(again.survey!.etag).toBe(replaced.survey!.etag);
  const imported = (await fixture.client.importSurvey({ bodyJson }, as())).survey!;
  expect((await fieldsOf(imported.surveyId)).fields).toEqual([source]);
  expect((await documentOf(imported.surveyId)) as { fields: unknown }).toMatchObject({ fields: [source] });
});

test("an edit of a page and its questions leaves the fields", async () => {
  const surveyId = await create({ fields: [source] });
  const [page] = await fixture.pages(surveyId);
  await fixture.patchPage(surveyId, page!.pageId, { title: "Titled" });
  const [added] = await fixture.add(surveyId, { questions: [question("More")] });
  await fixture.remove(added!.elementId);
  expect((await fieldsOf(surveyId)).fields).toEqual([source]);
});

test("with full anonymity a survey is not published with a field that may name somebody", async () => {
  const settings = { privacy: { anonymity: "full" } };
  const surveyId = await create({ fields: [source, customer], settings });
  const issues = async () => (await fixture.client.validateDraft({ surveyId }, as())).issues.map(({ code }) => code);
  expect(await issues()).toEqual(["field_not_anonymous"]);
  expect(await refusal(fixture.publish(surveyId))).toMatchObject({
    code: "validation_failed",
    details: { "fields.1.allowAnonymous": [expect.any(String)] },
  });
  await replacing(surveyId, [source]);
  expect(await issues()).toEqual([]);
  await fixture.publish(surveyId);
});

test("fields count in the bytes that the workspace stores", async () => {
  const surveyId = await create();
  const bytes = async () =>
    Number(
      (await fixture.sql(`SELECT stored_bytes FROM surveys WHERE survey_id = $1`, [surveyId]))[0]!["stored_bytes"],
    );
  const before = await bytes();
  await replacing(surveyId, [{ name: "long", type: "text", default: "x".repeat(1_000) }]);
  expect((await bytes()) - before).toBeGreaterThan(1_000);
  await replacing(surveyId, []);
  expect(await bytes()).toBe(before);
});

test("conditions ask fields and the language, also of a survey that is created with them; asked fields stay", async () => {
  const when = { field: "customer", operator: "at_least", value: 10 };
  const inGerman = { language: true, operator: "equals", value: "de" };
  const surveyId = await create({
    fields: [customer, source],
    questions: [question("For customers", { showIf: { any: [when, inGerman] } }), question("For all")],
  });
  const quotas = [
    { name: "Mails", when: { field: "utm_source", operator: "equals", value: "mail" }, limit: 1, onFull: "close" },
  ];
  await fixture.client.replaceQuotas({ surveyId, ifMatch: ["*"], bodyJson: JSON.stringify({ quotas }) }, as());

  const unknown = await refusal(create({ questions: [question("x", { showIf: when })] }));
  expect(unknown.details).toEqual({ "questions.0.showIf.field": ["must name a hidden field of the survey"] });

  const before = await fieldsOf(surveyId);
  const text = { ...customer, type: "text" };
  expect((await refusal(replacing(surveyId, [source]))).details).toMatchObject({ fields: [/elements\.0\.showIf/] });
  expect((await refusal(replacing(surveyId, [text, source]))).details).toMatchObject({
    fields: [/showIf\.any\.0\.operator/],
  });
  expect((await refusal(replacing(surveyId, [customer]))).details).toMatchObject({
    fields: [/quotas\.0\.when\.field/],
  });
  expect(await fieldsOf(surveyId)).toEqual(before);

  const issuesOf = async () => (await fixture.client.validateDraft({ surveyId }, as())).issues.map(({ path }) => path);
  expect(await issuesOf()).toEqual(["pages.0.elements.0.showIf.any.1.value"]);
  const settings = { locale: { languages: ["de"] } };
  await fixture.client.updateSurvey({ surveyId, ifMatch: ["*"], bodyJson: JSON.stringify({ settings }) }, as());
  expect(await issuesOf()).toEqual([]);

  const document = await documentOf(surveyId);
  expect(document).toMatchObject({
    quotas: [{ when: quotas[0]!.when }],
    pages: [{ elements: [{ showIf: { any: [when, inGerman] } }, {}] }],
  });
  const bodyJson = JSON.stringify(document);
  const copy = (await fixture.client.importSurvey({ bodyJson }, as())).survey!.surveyId;
  expect(await documentOf(copy)).toEqual(document);
});

test("a field that texts or settings use is kept with its spelling", async () => {
  const settings = { completion: { message: "Thanks, {{field.CUSTOMER}}." } };
  const surveyId = await create({ fields: [customer, source], settings });
  const [added] = await fixture.add(surveyId, { questions: [question("From {{field.UTM_Source}}?")] });
  expect((await fixture.element(added!.elementId)).questionText).toBe(`From {{field.${source.name}}}?`);
  const refused = await refusal(replacing(surveyId, [{ ...customer, name: customer.name.toUpperCase() }]));
  expect(refused).toMatchObject({ code: "validation_failed" });
  const told = (refused.details as Record<string, string[]>)["fields"]!;
  expect(told.map((line) => line.split(" ").at(8))).toEqual([
    expect.stringMatching(/^pages\.\d\.elements\.\d\.text$/),
    "settings.completion.message",
  ]);
  await replacing(surveyId, [source, customer]);
});
