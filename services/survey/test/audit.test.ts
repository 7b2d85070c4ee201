import type { AuditRecorded } from "@canvass/proto/events";
import { callOptions } from "@canvass/rpc";
import { auditEntries } from "@canvass/service/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { idempotent, question, refusal, signedPerson, startSurveyFixture } from "./survey-fixture.ts";

const fixture = await sharedByFile(startSurveyFixture());

/** Returns the audit events in the outbox. The fixture has no consumer that would take them. */
async function auditOf(surveyId: string): Promise<AuditRecorded[]> {
  return (await auditEntries(fixture.sql)).filter(({ resourceId }) => resourceId === surveyId);
}

const context = () => ({ signedCaller: signedPerson(), requestId: "r-1", clientAddress: "192.0.2.7" });

test("creating, changing, adding questions and publishing are audited, with the values before and after", async () => {
  const { surveyId, etag } = await fixture.create({ name: "First" }, context());
  await fixture.patch(surveyId, etag, { name: "Second", settings: { access: { password: "sesame" } } }, context());
  await fixture.add(surveyId, { questions: [question("How are you? ".repeat(20))] }, context());
  await fixture.patch(surveyId, "*", { settings: { access: { password: "open up" } } }, context());
  const { versionId } = await fixture.publish(surveyId, "*", context());
  const entries = await auditOf(surveyId);
  expect(entries.map(({ action }) => action)).toEqual([
    "survey.created",
    "survey.updated",
    "survey.questions_added",
    "survey.updated",
    "survey.published",
  ]);
  for (const entry of entries) {
    expect(entry).toMatchObject({ personId: "person0000000001", requestId: "r-1", clientAddress: "192.0.2.7" });
  }
  const [created, updated, added, changed, published] = entries.map(({ beforeJson, afterJson }) => ({
    before: beforeJson && (JSON.parse(beforeJson) as object),
    after: afterJson && (JSON.parse(afterJson) as object),
  }));
  expect(created).toMatchObject({
    before: "",
    after: { name: "First", language: "en", settings: {}, questionCount: 0 },
  });
  expect(updated!.before).toEqual({ name: "First", settings: {} });
  expect(updated!.after).toMatchObject({ name: "Second", settings: { access: { password: "set" } } });
  expect(added).toMatchObject({ before: "", after: { questions: [{ type: "short_text" }] } });
  expect((added!.after as { questions: { text: string }[] }).questions[0]!.text).toHaveLength(100);
  expect(changed).toEqual({
    before: { settings: { access: { password: "set" } } },
    after: { settings: { access: { password: "changed" } } },
  });
  expect(published).toEqual({
    before: { version: null },
    after: { version: 1, versionId, note: "", questionCount: 1 },
  });
  expect(JSON.stringify(entries)).not.toMatch(/sesame|open up|scrypt/);
});

test("edits, orders and removals of elements, and patches of pages are audited", async () => {
  const { surveyId } = await fixture.create({ name: "Edits" });
  const [first, second, third] = await fixture.add(surveyId, {
    questions: ["a", "b", "c"].map((text) => question(text)),
  });
  const pageId = first!.pageId;
  const body = { settings: {}, questionText: "A" };
  await fixture.edit(first!.elementId, { edit: "settings", body }, [], context());
  await fixture.order(
    surveyId,
    pageId,
    [third, second, first].map((each) => each!.elementId),
    context(),
  );
  const skipLogic = [
    { when: { elementId: second!.elementId, operator: "equals", value: "x".repeat(4_000) }, goTo: "end" },
  ];
  await fixture.patchPage(surveyId, pageId, { title: "Page", skipLogic }, context());
  fixture.answers.set(third!.questionId, { respondents: 2 });
  await fixture.remove(second!.elementId, [], context());
  await fixture.remove(third!.elementId, [], context());
  const lastOf = async (resourceId: string) => {
    const { action, personId, beforeJson, afterJson } = (await auditOf(resourceId)).at(-1)!;
    expect(personId).toBe("person0000000001");
    return { action, before: JSON.parse(beforeJson) as object, after: JSON.parse(afterJson) as object };
  };
  expect(await lastOf(first!.elementId)).toEqual({
    action: "element.updated",
    before: { text: "a" },
    after: { text: "A" },
  });
  expect(await lastOf(surveyId)).toMatchObject({ action: "survey.elements_ordered", after: { pageId } });
  const page = await lastOf(pageId);
  expect(page).toMatchObject({ action: "page.updated", before: { title: null }, after: { title: "Page" } });
  expect(JSON.stringify(page).length).toBeLessThan(500);
  expect(await lastOf(second!.elementId)).toMatchObject({
    action: "element.deleted",
    before: { surveyId, pageId, text: "b" },
    after: { responses: 0, removedRules: [{ pageId, count: 1 }] },
  });
  expect(await lastOf(third!.elementId)).toMatchObject({ action: "element.retired", after: { responses: 2 } });
});

test("the log has pages created with questions, elements retired by a restore, and rules removed with a choice", async () => {
  const { surveyId } = await fixture.create({ name: "Traces" });
  const last = async (resourceId: string) => JSON.parse((await auditOf(resourceId)).at(-1)!.afterJson) as object;
  const [a, b] = await fixture.add(surveyId, {
    questions: [
      { type: "multiple_choice", text: "a", choices: ["1", "2"], pageTitle: "One" },
      question("b", { pageTitle: "Two ".repeat(20) }),
    ],
  });
  expect(await last(surveyId)).toMatchObject({
    titledPage: { pageId: a!.pageId, title: "One" },
    pages: [{ pageId: b!.pageId, title: "Two ".repeat(10) }],
    questions: [{ elementId: a!.elementId }, { elementId: b!.elementId }],
  });
  const { versionId } = await fixture.publish(surveyId);
  const [c] = await fixture.add(surveyId, { questions: [question("c"), question("d")] });
  expect(await last(surveyId)).not.toHaveProperty("pages");
  const value = a!.choices[0]!.id;
  const skipLogic = [{ when: { elementId: a!.elementId, operator: "equals", value }, goTo: "end" }];
  await fixture.patchPage(surveyId, a!.pageId, { skipLogic });
  await fixture.edit(a!.elementId, { edit: "deleteChoice", body: { choiceId: value } });
  expect(await last(a!.elementId)).toMatchObject({ removedRules: [{ pageId: a!.pageId, count: 1 }] });
  fixture.answers.set(c!.questionId, { respondents: 1 });
  await fixture.client.restoreVersion({ surveyId, versionId, ifMatch: ["*"] }, callOptions(context()));
  expect(await last(surveyId)).toEqual({
    versionId,
    questionCount: 2,
    retiredCount: 1,
    retired: [{ elementId: c!.elementId, type: "short_text", text: "c" }],
  });
});

test("the log has from which question choices are carried, and their pictures", async () => {
  const { surveyId } = await fixture.create({ name: "Carried" });
  const pictures = `https://pictures.example/${"p".repeat(100)}`;
  const choices = [{ text: "a", imageUrl: `${pictures}/old.png` }, "b"];
  const [source, carrying] = await fixture.add(surveyId, {
    questions: [
      { type: "image_choice", name: "source", text: "Which?", choices },
      { type: "dropdown", text: "Best?", choicesFrom: { name: "source" } },
    ],
  });
  const edited = async (elementId: string, body: object) => {
    await fixture.edit(elementId, { edit: "settings", body: { settings: {}, ...body } });
    const { beforeJson, afterJson } = (await auditOf(elementId)).at(-1)!;
    return [JSON.parse(beforeJson), JSON.parse(afterJson)] as object[];
  };
  const choicesFrom = { elementId: source!.elementId, which: "shown" };
  expect(await edited(carrying!.elementId, { choicesFrom })).toEqual([
    { choicesFrom: { which: "selected" } },
    { choicesFrom: { which: "shown" } },
  ]);
  const [a, b] = source!.choices.map(({ id, text }) => ({ id, text }));
  const changed = [{ ...a, imageUrl: `${pictures}/new.png` }, b];
  expect(await edited(source!.elementId, { settings: { choices: changed } })).toEqual(
    ["old", "new"].map((name) => ({
      choices: [{ ...a, imageUrl: expect.stringMatching(`p/${name}.png$`) as string, retired: false }],
    })),
  );
});

test("a refused change and a repeated one leave no further entry", async () => {
  const body = { name: "Once" };
  const { context: once } = idempotent("audit-key", body);
  const { surveyId } = await fixture.create(body, once);
  expect((await fixture.create(body, once)).surveyId).toBe(surveyId);
  await refusal(fixture.patch(surveyId, '"stale"', { name: "x" }));
  await refusal(fixture.patch(surveyId, "*", { name: "" }));
  await refusal(fixture.publish(surveyId));
  expect((await auditOf(surveyId)).map(({ action }) => action)).toEqual(["survey.created"]);
});
