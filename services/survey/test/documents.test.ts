import type { DocumentPlan } from "@canvass/proto/survey-documents";
import type { Change } from "@canvass/questions";
import { callOptions, type CallContext } from "@canvass/rpc";
import { auditEntries } from "@canvass/service/testing";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { idempotent, refusal, signedPerson, startSurveyFixture, type AddedQuestion } from "./survey-fixture.ts";

const fixture = await sharedByFile(startSurveyFixture());

const as = (context: CallContext = {}) => callOptions({ signedCaller: signedPerson(), ...context });

async function documentOf(surveyId: string, versionNumber = 0, context?: CallContext) {
  const { documentJson, etag } = await fixture.client.getDocument({ surveyId, versionNumber }, as(context));
  return { text: documentJson, etag };
}

async function importing(document: unknown, context?: CallContext) {
  const bodyJson = typeof document === "string" ? document : JSON.stringify(document);
  return (await fixture.client.importSurvey({ bodyJson }, as(context))).survey!;
}

async function replacing(surveyId: string, document: unknown, ifMatch = "*", context?: CallContext) {
  const bodyJson = typeof document === "string" ? document : JSON.stringify(document);
  return (await fixture.client.replaceDocument({ surveyId, ifMatch: [ifMatch], bodyJson }, as(context))).survey!;
}

/** Returns the plan of a document, with its changes. */
async function planned(surveyId: string, document: unknown, context?: CallContext) {
  let plan: DocumentPlan | undefined;
  const changes: Change[] = [];
  const request = { surveyId, bodyJson: JSON.stringify(document) };
  for await (const chunk of fixture.client.streamDocumentPlan(request, as(context))) {
    plan ??= chunk.plan;
    changes.push(...chunk.changesJson.map((json) => JSON.parse(json) as Change));
  }
  return { ...plan!, changes };
}

/** Returns what is stored of a survey, its draft and its backups, to the byte, and its audit events. */
async function stored(surveyId: string) {
  const tables = ["surveys", "pages", "elements", "retired_elements", "backups", "document_keys"];
  const rows = tables.map((table) =>
    fixture.sql(`SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE survey_id = $1 ORDER BY 1`, [surveyId]),
  );
  return [await Promise.all(rows), await auditOf(surveyId)];
}

const auditOf = async (surveyId: string) =>
  (await auditEntries(fixture.sql)).filter(({ resourceId }) => resourceId === surveyId);

const rich = {
  name: "Ünïcode",
  language: "de",
  description: "What is drunk",
  settings: { display: { theme: "dark" }, navigation: { showPrevious: false }, locale: { additional: ["en"] } },
  questions: [
    {
      type: "multiple_choice",
      text: "Which?",
      multipleAnswers: true,
      choices: ["Tea", "Coffee"],
      typeSettings: { other: { enabled: true } },
    },
    { type: "nps", text: "ignored", subject: "the bar" },
    {
      type: "dropdown_matrix",
      text: "How?",
      pageTitle: "Each",
      rows: ["r"],
      columns: [{ text: "c", options: ["x", "y"] }],
      required: true,
    },
    { type: "image_choice", text: "Picture", choices: [{ text: "a", imageUrl: "https://a.example/a.png" }, "b"] },
    { type: "contact_info", text: "Who?" },
  ],
};

const elementsOf = async (surveyId: string) =>
  (await fixture.listPage({ surveyId, limit: 100, page: 1, includeContent: true })).elements;

/** A survey made by the API, with a loop and rules. */
async function createRich() {
  const survey = await fixture.create(rich);
  const [which, , matrix] = await elementsOf(survey.surveyId);
  const [first, second] = await fixture.pages(survey.surveyId);
  const choice = which!["choices"][0].id;
  await fixture.patchPage(survey.surveyId, first!.pageId, {
    skipLogic: [{ when: { elementId: which!["id"], operator: "contains", value: [choice] }, goTo: second!.pageId }],
  });
  await fixture.patchPage(survey.surveyId, second!.pageId, {
    loop: { elementId: which!["id"] },
    skipLogic: [
      {
        when: { elementId: matrix!["id"], operator: "contains", value: matrix!["columns"][0].options[1].id },
        goTo: "end",
      },
    ],
  });
  return survey.surveyId;
}

test("importing a survey's document creates an equal one; applying it again changes nothing", async () => {
  const surveyId = await createRich();
  const { text, etag } = await documentOf(surveyId);
  expect((await documentOf(surveyId)).text).toBe(text);
  const copy = await importing(text);
  expect(copy).toMatchObject({ name: "Ünïcode", language: "de", questionCount: 5, active: false });
  expect((await documentOf(copy.surveyId)).text).toBe(text);
  expect((await fixture.client.validateDraft({ surveyId: copy.surveyId }, as())).issues).toEqual([]);
  for (const id of [surveyId, copy.surveyId]) {
    const before = await stored(id);
    const tag = (await fixture.read(id)).etag;
    expect((await replacing(id, text, tag)).etag).toBe(tag);
    expect(await stored(id)).toEqual(before);
  }
  expect((await fixture.read(surveyId)).etag).toBe(etag);
});

test("pages, elements and entries keep their ids by key, wherever they move; omitted ones are removed", async () => {
  const surveyId = await createRich();
  const before = await elementsOf(surveyId);
  const document = JSON.parse((await documentOf(surveyId)).text);
  const [first, second] = document.pages;
  first.skipLogic = [];
  first.elements.reverse();
  first.elements[1].text = "Which ones?";
  first.elements[1].choices.push({ key: "milk", text: "Milk" });
  second.elements = second.elements.slice(1);
  second.skipLogic = [];
  second.elements.push({ key: "last", type: "short_text", text: "Last" });
  document.pages = [first, second, { key: "thanks", elements: [] }];
  document.name = "Renamed";
  document.settings = { display: { theme: "contrast" } };
  const { etag } = await fixture.read(surveyId);
  const updated = await replacing(surveyId, document, etag);
  expect(updated).toMatchObject({ name: "Renamed", questionCount: 5 });
  expect(JSON.parse(updated.settingsJson)).toMatchObject({
    display: { theme: "contrast" },
    navigation: { showPrevious: true },
    locale: { additional: [] },
  });
  const after = await elementsOf(surveyId);
  expect(after.map(({ id }) => id).slice(0, 4)).toEqual([1, 0, 3, 4].map((at) => before[at]!["id"]));
  expect(after[1]!["questionId"]).toBe(before[0]!["questionId"]);
  expect(after[1]!["choices"].slice(0, 2)).toEqual(before[0]!["choices"]);
  expect((await documentOf(surveyId)).text).toBe(
    `${JSON.stringify(document, null, 2)}\n`.replace(/,\n\s*"skipLogic": \[\]/g, ""),
  );
  const ids = [after[4]!["id"], after[1]!["choices"][2].id];
  await replacing(surveyId, document, updated.etag);
  const again = await elementsOf(surveyId);
  expect([again[4]!["id"], again[1]!["choices"][2].id]).toEqual(ids);
  expect(await fixture.pages(surveyId)).toHaveLength(3);
  expect((await fixture.backups(surveyId)).map(({ reason }) => reason)).toEqual(["before_restore"]);
  expect((await auditOf(surveyId)).map(({ action }) => action).slice(-1)).toEqual(["survey.document_replaced"]);
});

const small = {
  name: "Small",
  pages: [
    {
      key: "start",
      elements: [
        {
          key: "drink",
          type: "multiple_choice",
          text: "Which?",
          choices: [
            { key: "tea", text: "Tea" },
            { key: "milk", text: "Milk" },
          ],
        },
        { key: "why", type: "short_text", text: "Why?" },
      ],
    },
  ],
};
// oxlint-disable-next-line typescript/no-explicit-any -- tests make documents of every shape
const changed = (change: (document: any) => void) => {
  const document = structuredClone(small);
  change(document);
  return document;
};

test("answered elements that are omitted are retired, and restored by their key; with another type it is a new question", async () => {
  const { surveyId } = await importing(small);
  const [drink, why] = await elementsOf(surveyId);
  await fixture.publish(surveyId);
  const [tea] = drink!["choices"];
  fixture.answers.set(drink!["questionId"], { respondents: 1, entries: { [tea.id]: 1 } });
  fixture.answers.set(why!["questionId"], { respondents: 1 });
  const without = changed(({ pages: [page] }) => {
    page.elements[0].choices.shift();
    page.elements.pop();
  });
  await replacing(surveyId, without);
  expect(await refusal(fixture.element(why!["id"]))).toMatchObject({ code: "element_retired" });
  const { element } = await fixture.client.getElement({ elementId: drink!["id"] }, as());
  expect(element!.choices.map(({ text, retired }) => [text, retired])).toEqual([
    ["Milk", false],
    ["Tea", true],
  ]);
  await replacing(
    surveyId,
    changed(({ pages: [page] }) => (page.elements[1].type = "long_text")),
  );
  const [same, other] = await elementsOf(surveyId);
  expect(same!["choices"]).toEqual(drink!["choices"]);
  expect([same!["id"], other!["id"] === why!["id"]]).toEqual([drink!["id"], false]);
  expect((await replacing(surveyId, small)).hasUnpublishedChanges).toBe(false);
  expect(await elementsOf(surveyId)).toMatchObject([
    { id: drink!["id"] },
    { id: why!["id"], questionId: why!["questionId"] },
  ]);
});

test("a version has a document, too, by which the draft becomes that version again", async () => {
  const { surveyId } = await importing(small);
  await fixture.publish(surveyId);
  const { text } = await documentOf(surveyId, 1);
  await replacing(
    surveyId,
    changed(({ pages: [page] }) => page.elements.splice(1, 1, { key: "new", type: "rating", text: "New" })),
  );
  expect((await documentOf(surveyId)).text).not.toBe(text);
  expect((await documentOf(surveyId, 1)).text).toBe(text);
  expect(await refusal(documentOf(surveyId, 2))).toMatchObject({ code: "version_not_found" });
  expect((await replacing(surveyId, text)).hasUnpublishedChanges).toBe(false);
  expect((await documentOf(surveyId)).text).toBe(text);
});

test("an omitted choice that was chosen only where another question carries it is retired, as by a restore", async () => {
  const { surveyId } = await importing(small);
  const [{ id: elementId, choices }] = (await elementsOf(surveyId)) as [{ id: string; choices: { id: string }[] }];
  const carrying = { type: "dropdown", text: "Next?", choicesFrom: { elementId, which: "not_selected" } };
  const [{ questionId, elementId: carryingId }] = (await fixture.add(surveyId, { questions: [carrying] })) as [
    AddedQuestion,
  ];
  const { versionId } = await fixture.publish(surveyId);
  const add = { choiceId: null, newTitle: "Beer", questionId: (await elementsOf(surveyId))[0]!["questionId"] };
  const [beer] = (await fixture.edit(elementId, { edit: "choice", body: add })).addedIds;
  await fixture.publish(surveyId);
  await fixture.remove(carryingId);
  await fixture.publish(surveyId);
  fixture.answers.set(questionId, { respondents: 2, entries: { [choices[0]!.id]: 1, [beer!]: 1 } });
  const retired = async () =>
    (await fixture.element(elementId)).choices.filter((choice) => choice.retired).map(({ id }) => id);
  await replacing(
    surveyId,
    changed(({ pages: [page] }) => page.elements[0].choices.shift()),
  );
  expect(await retired()).toEqual([choices[0]!.id, beer]);
  await fixture.client.restoreVersion({ surveyId, versionId, ifMatch: ["*"] }, as());
  expect(await retired()).toEqual([beer]);
});

test("the answers to a version have a schema by the keys of its document", async () => {
  const { surveyId } = await importing(small);
  const schemaOf = async (versionNumber = 0) => {
    const { schemaJson } = await fixture.client.getAnswersSchema({ surveyId, versionNumber }, as());
    return JSON.parse(schemaJson) as { title: string; oneOf: object[]; $defs: Record<string, object> };
  };
  expect(await refusal(schemaOf())).toMatchObject({ code: "version_not_found" });
  await fixture.publish(surveyId);
  const first = await schemaOf();
  const { elements } = JSON.parse((await documentOf(surveyId, 1)).text).pages[0];
  expect(Object.keys(first.$defs)).toEqual(elements.map(({ key }: { key: string }) => key));
  const added = { key: "new", type: "rating", text: "New" };
  await replacing(
    surveyId,
    changed(({ pages: [page] }) => page.elements.splice(1, 1, added)),
  );
  expect(await schemaOf()).toEqual(first);
  await fixture.publish(surveyId);
  const second = await schemaOf();
  expect(second.oneOf[1]).toMatchObject({ title: "new", properties: { type: { const: "rating" } } });
  expect(second.$defs["new"]).toEqual({ type: "integer", minimum: 1, maximum: 5, description: "New" });
  expect(await schemaOf(1)).toEqual(first);
  const foreign = as({ signedCaller: signedPerson({ workspaceId: "foreign000000000" }) });
  expect(await refusal(fixture.client.getAnswersSchema({ surveyId }, foreign))).toMatchObject({
    code: "survey_not_found",
  });
});

test("nothing is written unless all checks pass, which come in the order of contract 1.7", async () => {
  const { surveyId, etag } = await importing(small);
  const before = await stored(surveyId);
  const wrong = changed((document) => {
    document.name = 5;
    document.settings = { display: { glitter: 1 }, access: { password: true }, schedule: { opensAt: "soon" } };
    document.pages[0].elements[0].choices[1].key = "tea";
    document.pages[0].elements[1].type = "nonsense";
  });
  const places = [
    "name",
    "pages.0.elements.0.choices.1.key",
    "pages.0.elements.1.type",
    "settings.display.glitter",
    "settings.schedule.opensAt",
  ];
  const ofSurvey = "settings.access.password";
  const refused = [
    [() => replacing("0000000000000000", wrong), places],
    [() => replacing(surveyId, wrong, '"stale"'), places],
    [() => replacing(surveyId, wrong), [...places, ofSurvey]],
    [() => importing(wrong), [...places, ofSurvey]],
  ] as const;
  for (const [attempt, paths] of refused) {
    const { code, details } = await refusal(attempt());
    expect([code, new Set(Object.keys(details))]).toEqual(["validation_failed", new Set(paths)]);
  }
  expect(await refusal(replacing(surveyId, small, '"stale"'))).toMatchObject({ code: "precondition_failed" });
  expect(await refusal(replacing("0000000000000000", small))).toMatchObject({ code: "survey_not_found" });
  const absent = fixture.client.replaceDocument({ surveyId, bodyJson: JSON.stringify(wrong) }, as());
  expect(await refusal(absent)).toMatchObject({ code: "precondition_required" });
  for (const [body, code] of [
    ["{", "malformed_json"],
    ["[]", "validation_failed"],
  ] as const) {
    expect(await refusal(importing(body))).toMatchObject({ code });
  }
  const free = { signedCaller: signedPerson({ plan: "free" }) };
  const locked = changed((document) => (document.settings = { display: { showBranding: false } }));
  expect(await refusal(replacing(surveyId, locked, etag, free))).toMatchObject({ code: "feature_locked" });
  const many = changed(({ pages: [page] }) => {
    page.elements = Array.from({ length: 1_000 }, (_, at) => ({ key: `k${at}`, type: "short_text", text: "T" }));
  });
  expect(await refusal(importing(many, free))).toMatchObject({ code: "quota_exceeded" });
  const anonymous = changed((document) => (document.settings = { privacy: { collectCountry: false } }));
  // The first answer comes after the response service was asked whether there are any.
  fixture.holding.before = async () => void fixture.answered.add(surveyId);
  expect(await refusal(replacing(surveyId, anonymous))).toMatchObject({ code: "validation_failed" });
  fixture.holding.before = async () => {};
  expect(await refusal(replacing(surveyId, anonymous))).toMatchObject({ code: "validation_failed" });
  expect(await stored(surveyId)).toEqual(before);
});

test("another workspace neither sees nor writes a survey by its document, nor takes its ids", async () => {
  const { surveyId } = await importing(small);
  const before = await stored(surveyId);
  const stranger = { signedCaller: signedPerson({ workspaceId: "workspace0000002" }) };
  expect(await refusal(documentOf(surveyId, 0, stranger))).toMatchObject({ code: "survey_not_found" });
  expect(await refusal(replacing(surveyId, small, "*", stranger))).toMatchObject({ code: "survey_not_found" });
  const [drink] = await elementsOf(surveyId);
  const own = await importing(
    changed(({ pages: [page] }) => (page.elements[0].key = `q_${drink!["id"]}`)),
    stranger,
  );
  const text = (await documentOf(own.surveyId, 0, stranger)).text;
  expect((await replacing(own.surveyId, text, "*", stranger)).etag).toBe(own.etag);
  expect(await stored(surveyId)).toEqual(before);
});

test("sent back as it was read, a document keeps placeholders of what left the draft", async () => {
  const onFull = { when: { element: "n", operator: "at_least", value: 3 }, limit: 1, onFull: "message" };
  const whole = {
    name: "Placeholders",
    language: "en",
    settings: {
      completion: {
        title: "{{dish}}",
        message: "{{n}}, thanks {{dish|you}}",
        redirectUrl: "https://a.example/?d={{dish}}",
      },
      locale: { languages: ["de"] },
    },
    translations: { de: { "settings.completion.message": "{{n}}, danke {{dish|dir}}" } },
    quotas: [
      {
        ...onFull,
        name: "Q",
        message: "Full {{dish|now}}",
        translations: { de: { message: "Voll {{dish|jetzt}}" } },
      },
    ],
    pages: [
      {
        key: "p",
        elements: [
          { key: "dish", type: "short_text", text: "Dish?" },
          { key: "n", type: "number", text: "N?" },
        ],
      },
    ],
  };
  const { surveyId } = await importing(whole);
  await fixture.publish(surveyId);
  const [dish] = await fixture.elements(surveyId);
  await fixture.remove(dish!["id"] as string, ["*"]);
  const before = await stored(surveyId);
  const { text } = await documentOf(surveyId);
  const document = JSON.parse(text) as typeof whole;
  expect(document.settings.completion).toEqual({
    title: "…",
    message: "{{n}}, thanks you",
    redirectUrl: "https://a.example/?d=",
  });
  await replacing(surveyId, document);
  expect((await planned(surveyId, document)).writes).toEqual([]);
  expect(await stored(surveyId)).toEqual(before);

  // What differs from what was read is new, also beside what is kept, and so are translations of it.
  const other = structuredClone(document);
  other.settings.completion.message = "Thanks";
  other.translations.de["settings.completion.message"] = "Danke";
  const { settingsJson } = await replacing(surveyId, other);
  expect(JSON.parse(settingsJson).completion).toMatchObject({
    message: "Thanks",
    redirectUrl: `https://a.example/?d={{${dish!["id"]}}}`,
  });
  expect((JSON.parse((await documentOf(surveyId)).text) as typeof whole).translations).toEqual(other.translations);
});

test("a password never travels: true keeps it, the same text is no change, and without it it is removed", async () => {
  const secret = (password: unknown) => changed((document) => (document.settings = { access: { password } }));
  const { surveyId, etag } = await importing(secret("sesame"));
  const { text } = await documentOf(surveyId);
  expect(JSON.parse(text).settings).toEqual({ access: { password: true } });
  const matches = async (password: string) =>
    (await fixture.client.checkSurveyPassword({ workspaceId: "workspace0000001", surveyId, password }, callOptions({})))
      .matches;
  expect((await replacing(surveyId, text)).etag).toBe(etag);
  expect((await replacing(surveyId, secret("sesame"))).etag).toBe(etag);
  expect(await matches("sesame")).toBe(true);
  await replacing(surveyId, secret("open up"));
  expect(await matches("open up")).toBe(true);
  await replacing(surveyId, small);
  expect(JSON.parse((await fixture.read(surveyId)).settingsJson).access.password).toBe(false);
  expect(JSON.stringify(await auditOf(surveyId))).not.toMatch(/sesame|open up/);
});

test("a write with a key happens once, and of two writers with one tag one succeeds", async () => {
  const bodyJson = JSON.stringify(small);
  const once = idempotent("import", bodyJson);
  const made = [await importing(small, once.context), await importing(small, once.context)];
  expect(new Set(made.map(({ surveyId }) => surveyId)).size).toBe(1);
  const { surveyId, etag } = made[0]!;
  const renamed = (name: string) => changed((document) => (document.name = name));
  const writes = await Promise.allSettled(["A", "B"].map((name) => replacing(surveyId, renamed(name), etag)));
  expect(writes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const put = idempotent("put", JSON.stringify(renamed("C")));
  const first = await replacing(surveyId, renamed("C"), "*", put.context);
  await replacing(surveyId, renamed("D"));
  expect(await replacing(surveyId, renamed("C"), "*", put.context)).toEqual(first);
  expect((await fixture.read(surveyId)).name).toBe("D");
});

test("keys that the database cannot store are violations", async () => {
  const { surveyId } = await importing(small);
  for (const key of ["why\0", "why\ud800"]) {
    const wrong = changed(({ pages: [page] }) => (page.elements[1].key = key));
    const { code, details } = await refusal(replacing(surveyId, wrong));
    expect([code, Object.keys(details)]).toEqual(["validation_failed", ["pages.0.elements.1.key"]]);
  }
});

test("an element that another writer retires while answers are counted is restored with its ids", async () => {
  const { surveyId } = await importing(changed(({ pages: [page] }) => page.elements.pop()));
  await fixture.publish(surveyId);
  await replacing(surveyId, small);
  const why = (await elementsOf(surveyId))[1]!;
  fixture.answers.set(why["questionId"], { respondents: 1 });
  const before = fixture.counting.before;
  fixture.counting.before = async () => {
    fixture.counting.before = before;
    await fixture.remove(why["id"]);
  };
  await replacing(
    surveyId,
    changed((document) => (document.name = "Other")),
  );
  expect((await elementsOf(surveyId))[1]).toMatchObject({ id: why["id"], questionId: why["questionId"] });
});

test("entries of the published version that left the draft come back with their ids", async () => {
  const entries = (...keys: string[]) => keys.map((key) => ({ key, text: key }));
  const columns = entries("c", "d").map((column) => ({ ...column, options: entries("x", "y") }));
  const how = { key: "how", type: "dropdown_matrix", text: "How?", rows: entries("r", "s"), columns };
  const whole = changed(({ pages: [page] }) => page.elements.push(how));
  const less = changed(({ pages: [page] }) => {
    page.elements[0].choices.shift();
    const [, column] = columns;
    page.elements.push({ ...how, rows: entries("s"), columns: [{ ...column, options: entries("y") }] });
  });
  const { surveyId } = await importing(whole);
  const elements = await elementsOf(surveyId);
  await fixture.publish(surveyId);
  await replacing(surveyId, less);
  const before = await stored(surveyId);
  await replacing(surveyId, less);
  expect(await stored(surveyId)).toEqual(before);
  expect((await replacing(surveyId, whole)).hasUnpublishedChanges).toBe(false);
  const back = elements.map((element) => ({ ...element, updatedAt: expect.any(String) as string }));
  expect(await elementsOf(surveyId)).toEqual(back);
});

test("a plan shows what a replacement would write and a publication change, with affected answers, and writes nothing", async () => {
  const { surveyId } = await importing(small);
  expect(await planned(surveyId, small)).toMatchObject({ writes: [], issues: [], baseVersion: 0, class: "safe" });
  await fixture.publish(surveyId);
  const [drink, why] = await elementsOf(surveyId);
  fixture.answers.set(drink!["questionId"], { respondents: 3, entries: { [drink!["choices"][0].id]: 2 } });
  fixture.answers.set(why!["questionId"], { respondents: 1 });
  const other = changed((document) => {
    document.name = "Large";
    document.settings = { display: { theme: "dark" } };
    const [page] = document.pages;
    page.elements[0].text = "What?";
    page.elements[0].choices.shift();
    page.elements[1].key = "reason";
    page.elements.push({ key: "stars", type: "rating", text: "How?", required: true });
  });
  const before = await stored(surveyId);
  const { etag } = await fixture.read(surveyId);
  const plan = await planned(surveyId, other);
  expect(await stored(surveyId)).toEqual(before);
  expect(plan).toMatchObject({
    writes: ["name", "settings.display.theme", "pages"],
    issues: [],
    baseVersion: 1,
    class: "results_affecting",
    etag,
  });
  await replacing(surveyId, other, plan.etag);
  const { summary, changes } = await fixture.changes(surveyId);
  const told = (list: readonly Change[]) =>
    list.map(({ class: effect, kind, affectedResponses, message }) => [effect, kind, affectedResponses, message]);
  expect(told(plan.changes)).toEqual(told(changes));
  expect(plan.class).toBe(summary.class);
  expect(told(changes)).toContainEqual(["results_affecting", "choices_removed", 2, expect.any(String)]);
  expect(await planned(surveyId, other)).toMatchObject({ writes: [], changes });
});

test("a plan lists breaking changes, and what prevents a publication of the draft", async () => {
  const { surveyId } = await importing(small);
  await fixture.publish(surveyId);
  const matrix = (rows: string[]) =>
    changed(({ pages: [page] }) =>
      page.elements.push({
        key: "grid",
        type: "matrix",
        text: "How?",
        rows: rows.map((key) => ({ key, text: key })),
        columns: [{ key: "good", text: "Good" }],
      }),
    );
  await replacing(surveyId, matrix(["a", "b"]));
  await fixture.publish(surveyId);
  const grid = (await elementsOf(surveyId))[2]!;
  fixture.answers.set(grid["questionId"], { respondents: 1, entries: { [grid["rows"][0].id]: 1 } });
  expect(await planned(surveyId, matrix(["b"]))).toMatchObject({
    writes: ["pages"],
    baseVersion: 2,
    class: "breaking",
  });
  const { issues } = await planned(
    surveyId,
    changed(({ pages: [page] }) => (page.elements = [])),
  );
  expect(issues).not.toEqual([]);
});

test("a plan compares an answered question that comes back by its key with how it was asked", async () => {
  const { surveyId } = await importing(small);
  const [, why] = await elementsOf(surveyId);
  await fixture.publish(surveyId);
  fixture.answers.set(why!["questionId"], { respondents: 1 });
  await replacing(
    surveyId,
    changed(({ pages: [page] }) => page.elements.pop()),
  );
  const { summary } = await fixture.changes(surveyId);
  await fixture.publish(surveyId, "*", {}, [summary.changesId]);
  const reworded = changed(({ pages: [page] }) => (page.elements[1].text = "Why not?"));
  const told = (list: readonly Change[]) =>
    list.map(({ kind, class: effect, affectedResponses }) => `${kind} ${effect} ${affectedResponses}`);
  const plan = await planned(surveyId, reworded);
  expect(plan.class).toBe("results_affecting");
  expect(told(plan.changes)).toEqual(["question_added safe 0", "question_reworded results_affecting 1"]);
  await replacing(surveyId, reworded);
  expect((await fixture.changes(surveyId)).changes).toEqual(plan.changes);
  expect(told((await planned(surveyId, small)).changes)).toEqual(["question_added safe 0"]);
});

test("a page without questions is no difference, since publishing drops it", async () => {
  const withEmpty = changed((document) => {
    document.pages.push({ key: "empty", elements: [] });
    document.pages[0].skipLogic = [{ when: { element: "drink", operator: "answered" }, goTo: "empty" }];
  });
  const { surveyId } = await importing(withEmpty);
  await fixture.publish(surveyId);
  expect(await planned(surveyId, withEmpty)).toMatchObject({ writes: [], changes: [] });
});

test("a plan is refused like the replacement, and shows no password", async () => {
  const secret = changed((document) => (document.settings = { access: { password: "sesame" } }));
  const { surveyId } = await importing(secret);
  for (const password of ["sesame", "other"]) {
    const guess = changed((document) => (document.settings = { access: { password } }));
    expect((await planned(surveyId, guess)).writes).toEqual(["settings.access.password"]);
  }
  const kept = changed((document) => (document.settings = { access: { password: true } }));
  expect((await planned(surveyId, kept)).writes).toEqual([]);
  const stranger = { signedCaller: signedPerson({ workspaceId: "workspace0000002" }) };
  expect(await refusal(planned(surveyId, small, stranger))).toMatchObject({ code: "survey_not_found" });
  expect(await refusal(planned("0000000000000000", { nme: 1 }))).toMatchObject({ code: "validation_failed" });
  const free = { signedCaller: signedPerson({ plan: "free" }) };
  const locked = changed((document) => (document.settings = { display: { showBranding: false } }));
  expect(await refusal(planned(surveyId, locked, free))).toMatchObject({ code: "feature_locked" });
});
