import { callOptions } from "@canvass/rpc";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import {
  idempotent,
  question,
  refusal,
  signedPerson,
  startSurveyFixture,
  type AddedQuestion,
} from "./survey-fixture.ts";

const fixture = await sharedByFile(startSurveyFixture());

const many = (count: number) => Array.from({ length: count }, (_, index) => question(`q${index}`));

test("added questions are returned in order with ids, defaults and the text respondents see", async () => {
  const { surveyId } = await fixture.create({ name: "Types" });
  const added = await fixture.add(surveyId, {
    questions: [
      { type: "multiple_choice", text: "Pick" },
      { type: 13, text: "Grid", rows: ["r"], columns: [{ text: "c", options: ["x", "y"] }] },
      { type: "nps", text: "ignored", subject: "Canvass" },
    ],
  });
  expect(added.map(({ typeName }) => typeName)).toEqual(["multiple_choice", "dropdown_matrix", "nps"]);
  expect(added[0]!.choices.map(({ text }) => text)).toHaveLength(2);
  expect(added[1]).toMatchObject({
    rows: [{ text: "r" }],
    columns: [{ text: "c", options: [{ text: "x" }, { text: "y" }] }],
  });
  expect(added[2]!.text).toContain("Canvass");
  const elements = await fixture.elements(surveyId);
  expect(elements.map(({ id }) => id)).toEqual(added.map(({ elementId }) => elementId));
  expect(elements.map(({ questionId }) => questionId)).toEqual(added.map(({ questionId }) => questionId));
  const ids = added.flatMap(({ elementId, questionId }) => [elementId, questionId]);
  expect(new Set(ids).size).toBe(6);
});

test("creating returns the questions with the ids they are read by", async () => {
  const body = {
    name: "At once",
    questions: [question("a", { type: "dropdown", choices: ["x", "y"] }), question("b", { pageTitle: "2" })],
  };
  const { survey, questionsJson } = await fixture.client.createSurvey(
    { bodyJson: JSON.stringify(body) },
    callOptions({ signedCaller: signedPerson() }),
  );
  const page = { surveyId: survey!.surveyId, limit: 100, page: 1, includeContent: true };
  const { elements } = await fixture.listPage(page);
  const created = JSON.parse(questionsJson) as AddedQuestion[];
  expect(elements).toMatchObject(
    created.map(({ elementId: id, pageId, questionId, type, text, choices }) => ({
      id,
      pageId,
      questionId,
      type,
      questionText: text,
      ...(choices && { choices }),
    })),
  );
});

test("questions go to the last page without pageId, to the named one with it, and to a new one for each title", async () => {
  const { surveyId } = await fixture.create({ name: "Pages" });
  const [first, , third] = await fixture.add(surveyId, {
    questions: [question("a", { pageTitle: "One" }), question("b"), question("c", { pageTitle: "Two" })],
  });
  await fixture.add(surveyId, { questions: [question("d")] });
  await fixture.add(surveyId, { pageId: first!.pageId, questions: [question("e")] });
  await fixture.add(surveyId, {
    pageId: third!.pageId,
    questions: [question("f"), question("g", { pageTitle: "Three" })],
  });
  const elements = await fixture.elements(surveyId);
  expect(elements.map(({ questionText, sortOrder }) => `${questionText}${sortOrder}`)).toEqual([
    "a1",
    "b2",
    "e3",
    "c1",
    "d2",
    "f3",
    "g1",
  ]);
  const pages = await fixture.sql("SELECT title, sort_order FROM pages WHERE survey_id = $1 ORDER BY 2", [surveyId]);
  expect(pages).toEqual([
    { title: "One", sort_order: 1 },
    { title: "Two", sort_order: 2 },
    { title: "Three", sort_order: 3 },
  ]);
});

test("a title is refused beside a page that is not the last, with all other violations, and nothing is written", async () => {
  const { surveyId } = await fixture.create({
    name: "x",
    questions: [question("a"), question("b", { pageTitle: "Two" })],
  });
  const [first] = await fixture.elements(surveyId);
  const { code, details } = await refusal(
    fixture.add(surveyId, {
      pageId: first!.pageId,
      questions: [
        question("fine"),
        question("t", { pageTitle: "Three" }),
        question("", { required: "yes" }),
        { type: 99, text: "?" },
      ],
      more: true,
    }),
  );
  expect(code).toBe("validation_failed");
  expect(Object.keys(details).sort()).toEqual([
    "more",
    "questions.1.pageTitle",
    "questions.2.required",
    "questions.2.text",
    "questions.3.type",
  ]);
  expect(await fixture.elements(surveyId)).toHaveLength(2);
});

test.each([
  [{}, ["questions"]],
  [{ questions: [] }, ["questions"]],
  [{ questions: {} }, ["questions"]],
  [{ questions: "no" }, ["questions"]],
  [{ questions: many(1), pageId: "0000000000000000" }, ["pageId"]],
  [{ questions: many(1), pageId: 7 }, ["pageId"]],
  [{ questions: many(1001) }, ["questions"]],
])("%j has violations at %j", async (body, paths) => {
  const { surveyId } = await fixture.create({ name: "x" });
  expect(Object.keys((await refusal(fixture.add(surveyId, body))).details)).toEqual(paths);
});

test("a pageId of another survey is refused", async () => {
  const other = await fixture.create({ name: "other", questions: many(1) });
  const [element] = await fixture.elements(other.surveyId);
  const { surveyId } = await fixture.create({ name: "x" });
  const call = fixture.add(surveyId, { pageId: element!.pageId, questions: many(1) });
  expect((await refusal(call)).details).toHaveProperty("pageId");
});

test("the plan's limit of questions counts stored ones, and is checked after validation", async () => {
  const signedCaller = signedPerson({ plan: "free" });
  const { surveyId } = await fixture.create({ name: "x", questions: many(8) });
  expect(await refusal(fixture.add(surveyId, { questions: many(3) }, { signedCaller }))).toEqual({
    code: "quota_exceeded",
    details: { limit: 10, requested: 11, required_plan: "starter" },
  });
  const faulty = { questions: [...many(3), question("")] };
  expect(await refusal(fixture.add(surveyId, faulty, { signedCaller }))).toMatchObject({ code: "validation_failed" });
  await fixture.add(surveyId, { questions: many(2) }, { signedCaller });
  expect((await fixture.read(surveyId)).questionCount).toBe(10);
});

test("of simultaneous additions, only as many succeed as the plan has questions left", async () => {
  const signedCaller = signedPerson({ plan: "free" });
  const { surveyId } = await fixture.create({ name: "x", questions: many(6) });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, () => fixture.add(surveyId, { questions: many(2) }, { signedCaller })),
  );
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(await fixture.elements(surveyId)).toHaveLength(10);
});

test("questions added by many at once stand in one dense order", async () => {
  const { surveyId } = await fixture.create({ name: "Race" });
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      fixture.add(surveyId, {
        questions: [question(`a${index}`, index % 4 === 0 ? { pageTitle: "T" } : {}), question(`b${index}`)],
      }),
    ),
  );
  const elements = await fixture.elements(surveyId);
  expect(elements).toHaveLength(40);
  expect((await fixture.read(surveyId)).questionCount).toBe(40);
  for (const onPage of Map.groupBy(elements, ({ pageId }) => pageId).values()) {
    expect(onPage.map(({ sortOrder }) => sortOrder)).toEqual(onPage.map((_, index) => index + 1));
  }
  // A request's questions stay together: b follows a.
  const texts = elements.map(({ questionText }) => questionText!);
  for (const [at, text] of texts.entries())
    if (text.startsWith("a")) expect(texts[at + 1]).toBe(text.replace("a", "b"));
  const pages = await fixture.sql<{ sort_order: number }>(
    "SELECT sort_order FROM pages WHERE survey_id = $1 ORDER BY 1",
    [surveyId],
  );
  expect(pages.map(({ sort_order }) => sort_order)).toEqual(pages.map((_, index) => index + 1));
});

test("adding changes the survey's tag and is done once per key", async () => {
  const created = await fixture.create({ name: "x" });
  const body = { questions: many(2) };
  const first = await fixture.add(created.surveyId, body, idempotent("add-1", body).context);
  const again = idempotent("add-1", body);
  expect(await fixture.add(created.surveyId, body, again.context)).toEqual(first);
  expect(again.replays).toHaveLength(1);
  expect(await fixture.elements(created.surveyId)).toHaveLength(2);
  expect((await fixture.read(created.surveyId)).etag).not.toBe(created.etag);
});

test("elements are listed by page, with the total from the counter", async () => {
  const { surveyId } = await fixture.create({ name: "x", questions: many(7) });
  const list = async (limit: number, page: number) => {
    const request = { surveyId, limit, page };
    const { elements, total } = await fixture.listPage(request);
    return [elements.map(({ questionText }) => questionText), total];
  };
  expect(await list(3, 1)).toEqual([["q0", "q1", "q2"], 7]);
  expect(await list(3, 3)).toEqual([["q6"], 7]);
  expect(await list(3, 4)).toEqual([[], 7]);
  expect(await list(100, 1_000_000)).toEqual([[], 7]);
  for (const [limit, page, path] of [
    [0, 1, "limit"],
    [101, 1, "limit"],
    [1, 0, "page"],
    [1, 1_000_001, "page"],
  ] as const) {
    const call = fixture.listPage({ surveyId, limit, page });
    expect(Object.keys((await refusal(call)).details)).toEqual([path]);
  }
});

test("pages by cursor have each element once, even if others are added and removed before it", async () => {
  const questions = [...many(3), question("q3", { pageTitle: "2" }), question("q4"), question("q5")];
  const { surveyId } = await fixture.create({ name: "x", questions });
  const next = async (cursor: string) => {
    const { elements, nextCursor, hasMore } = await fixture.listPage({ surveyId, limit: 2, cursor });
    return {
      texts: elements.map(({ questionText }) => questionText),
      ids: elements.map(({ id }) => id),
      nextCursor,
      hasMore,
    };
  };
  const first = await next("");
  expect(first).toMatchObject({ texts: ["q0", "q1"], hasMore: true });
  const numbered = await fixture.listPage({ surveyId, limit: 2, page: 1 });
  expect(numbered).toMatchObject({ total: 6, nextCursor: first.nextCursor, hasMore: true });
  await fixture.remove(first.ids[0]);
  const second = await next(first.nextCursor);
  expect(second).toMatchObject({ texts: ["q2", "q3"], hasMore: true });
  await fixture.add(surveyId, { questions: many(1), pageId: (await fixture.pages(surveyId))[0]!.pageId });
  const third = await next(second.nextCursor);
  expect(third).toMatchObject({ texts: ["q4", "q5"], hasMore: false, nextCursor: "" });
  // After an element that was removed, its page starts again.
  await fixture.remove(second.ids[1]);
  expect((await next(second.nextCursor)).texts).toEqual(["q4", "q5"]);
});

test("a cursor continues where an element was, even if the previous page was deleted", async () => {
  const questions = [...many(1), question("q1", { pageTitle: "2" }), question("q2")];
  const { surveyId } = await fixture.create({ name: "x", questions });
  const { elements, nextCursor } = await fixture.listPage({ surveyId, limit: 2, cursor: "" });
  const rest = async () => {
    const page = await fixture.listPage({ surveyId, limit: 2, cursor: nextCursor });
    return page.elements.map(({ questionText }) => questionText);
  };
  await fixture.remove(elements[0]!["id"]);
  await fixture.publish(surveyId);
  expect(await fixture.pages(surveyId)).toHaveLength(1);
  expect(await rest()).toEqual(["q2"]);
  await fixture.remove(elements[1]!["id"]);
  expect(await rest()).toEqual(["q2"]);
  // If the page was removed, too, the survey starts again.
  await fixture.add(surveyId, { questions: [question("q3", { pageTitle: "3" })] });
  await fixture.remove((await fixture.elements(surveyId))[0]!["id"]);
  await fixture.publish(surveyId);
  expect(await rest()).toEqual(["q3"]);
});

test("a cursor of elements is of one survey of one workspace", async () => {
  const { surveyId } = await fixture.create({ name: "x", questions: many(2) });
  const other = await fixture.create({ name: "y", questions: many(2) });
  const { nextCursor } = await fixture.listPage({ surveyId, limit: 1, cursor: "" });
  const elsewhere = signedPerson({ workspaceId: "workspace0000002" });
  for (const call of [
    fixture.listPage({ surveyId: other.surveyId, limit: 1, cursor: nextCursor }),
    fixture.listPage({ surveyId, limit: 1, cursor: nextCursor }, elsewhere),
    fixture.listPage({ surveyId, limit: 1, cursor: `${nextCursor.slice(0, -2)}AA` }),
    fixture.listPage({ surveyId, limit: 1, cursor: "x" }),
  ]) {
    expect(Object.keys((await refusal(call)).details)).toEqual(["cursor"]);
  }
});

test("violations of questions that do not depend on the survey are reported before a missing survey", async () => {
  const wrong = { questions: [{ type: "rating" }], pageId: 5, colour: "red" };
  for (const id of ["0000000000000000", "no-id"]) {
    const { code, details } = await refusal(fixture.add(id, wrong));
    expect([code, Object.keys(details).sort()]).toEqual([
      "validation_failed",
      ["colour", "pageId", "questions.0.text"],
    ]);
    const fine = fixture.add(id, { questions: many(1), pageId: "0000000000000000" });
    expect(await refusal(fine)).toMatchObject({ code: "survey_not_found" });
  }
});

test("a list that was read before shows later additions", async () => {
  const { surveyId } = await fixture.create({ name: "x", questions: many(1) });
  for (const total of [1, 2, 3]) {
    const texts = (await fixture.elements(surveyId)).map(({ questionText }) => questionText);
    expect(texts).toEqual(Array.from({ length: total }, () => "q0"));
    expect(await fixture.elements(surveyId)).toHaveLength(total);
    await fixture.add(surveyId, { questions: many(1) });
  }
});

test("a batch returns each list or error at the place of its request", async () => {
  const { surveyId } = await fixture.create({ name: "x", questions: many(3) });
  const caller = signedPerson();
  const pages = [
    { caller, surveyId, limit: 2, page: 2 },
    { caller, surveyId: "zzzzzzzzzzzzzzzz", limit: 2, page: 1 },
    { caller: "forged", surveyId, limit: 2, page: 1 },
    ...Array.from({ length: 30 }, () => ({ caller, surveyId, limit: 100, page: 1 })),
  ];
  const { results } = await fixture.client.batchListElements({ pages });
  const seen = results.map(({ outcome }) => {
    if (outcome.case === "page") return JSON.parse(outcome.value.elementsJson).length;
    return outcome.case === "error" ? outcome.value.code : outcome.case;
  });
  expect(seen).toEqual([1, "survey_not_found", "unauthorized", ...Array.from({ length: 30 }, () => 3)]);
});

test("a caller of another workspace neither sees the questions nor adds any", async () => {
  const { surveyId } = await fixture.create({ name: "Mine", questions: many(1) });
  const signedCaller = signedPerson({ workspaceId: "workspace0000002" });
  expect(await refusal(fixture.add(surveyId, { questions: many(1) }, { signedCaller }))).toMatchObject({
    code: "survey_not_found",
  });
  const list = fixture.listPage({ surveyId, limit: 10, page: 1 }, signedCaller);
  expect(await refusal(list)).toMatchObject({ code: "survey_not_found" });
  expect(await fixture.elements(surveyId)).toHaveLength(1);
});

test("pages that do not fit into a response are left out", async () => {
  const text = "x".repeat(4_000);
  const questions = Array.from({ length: 100 }, () => question(text, { helpText: text }));
  const { surveyId } = await fixture.create({ name: "Long", questions });
  const pages = Array.from({ length: 20 }, () => ({ caller: signedPerson(), surveyId, limit: 100, page: 1 }));
  const { results } = await fixture.client.batchListElements({ pages });
  const kinds = results.map(({ outcome }) => outcome.case);
  expect(kinds).toEqual([...Array.from({ length: 8 }, () => "page"), ...Array.from({ length: 12 }, () => "leftOut")]);
});
