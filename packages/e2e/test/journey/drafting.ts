import { expect, test } from "vitest";
import { anyEtag, anyId, anyTime, expectSuccess } from "../expected-shapes.ts";
import { api, demo, journeyState } from "./journey-system.ts";

/** From an empty workspace to a published version. */
export function testDrafting(): void {
  test("a survey begins as a draft with one empty page", async () => {
    const created = await api.call("POST", "/surveys", { body: { name: "Lunch", description: "How was lunch?" } });
    expectSuccess(created, 201, {
      id: anyId,
      name: "Lunch",
      description: "How was lunch?",
      language: "en",
      type: 1,
      active: 0,
      ownerAccountId: demo.system.local.personId,
      settings: expect.objectContaining({ display: expect.any(Object), navigation: expect.any(Object) }),
      publishedVersion: null,
      hasUnpublishedChanges: true,
      questionCount: 0,
      responseCount: 0,
      createdAt: anyTime,
      updatedAt: anyTime,
      questions: [],
    });
    expect(created.headers.get("etag")).toEqual(anyEtag);
    journeyState.surveyId = created.data.id;
    const read = await api.call("GET", `/surveys/${journeyState.surveyId}`);
    const { questions: _, ...survey } = created.data;
    expectSuccess(read, 200, survey);
    expect(read.headers.get("etag")).toBe(created.headers.get("etag"));
  });

  test("questions are added in the order of the request, with their ids", async () => {
    const added = await api.call("POST", `/surveys/${journeyState.surveyId}/questions`, {
      body: {
        questions: [
          { type: "rating", text: "How did you like it?", required: true },
          { type: 4, text: "Would you come again?", choices: ["Yes", { text: "No" }], helpText: "Be honest." },
          { type: "short_text", text: "Anything else?", pageTitle: "Last words" },
        ],
      },
    });
    const noLogic = { showIf: null, requiredIf: null, constraints: [], defaultValue: null, choicesFrom: null };
    const ids = { elementId: anyId, questionId: anyId, pageId: anyId, name: null, ...noLogic };
    const choices = ["Yes", "No"].map((text) => ({ id: anyId, text }));
    expectSuccess(added, 201, [
      { ...ids, type: 8, typeName: "rating", text: "How did you like it?" },
      { ...ids, type: 4, typeName: "multiple_choice", text: "Would you come again?", choices },
      { ...ids, type: 1, typeName: "short_text", text: "Anything else?" },
    ]);
    const [rating, choice, text] = added.data;
    expect(choice.pageId).toBe(rating.pageId);
    expect(text.pageId).not.toBe(rating.pageId);
    Object.assign(journeyState, { ratingId: rating.elementId, choiceId: choice.elementId, textId: text.elementId });
    journeyState.choices = choice.choices.map(({ id }: { id: string }) => id);
  });

  test("the element list pages by number", async () => {
    const path = `/surveys/${journeyState.surveyId}/elements`;
    const [first, second] = [await api.call("GET", `${path}?limit=2`), await api.call("GET", `${path}?limit=2&page=2`)];
    const element = {
      surveyId: journeyState.surveyId,
      pageId: anyId,
      questionId: anyId,
      createdAt: anyTime,
      updatedAt: anyTime,
    };
    expectSuccess(first, 200, [
      {
        ...element,
        id: journeyState.ratingId,
        type: 8,
        typeName: "rating",
        sortOrder: expect.any(Number),
        name: null,
        questionText: "How did you like it?",
        helpText: null,
      },
      expect.objectContaining({ ...element, id: journeyState.choiceId, helpText: "Be honest." }),
    ]);
    expect(first.body.pagination).toEqual({
      total: 3,
      page: 1,
      limit: 2,
      totalPages: 2,
      hasMore: true,
      cursor_next: expect.any(String),
    });
    expectSuccess(second, 200, [expect.objectContaining({ id: journeyState.textId })]);
    expect(second.body.pagination).toEqual({
      total: 3,
      page: 2,
      limit: 2,
      totalPages: 2,
      hasMore: false,
      cursor_next: null,
    });
  });

  test("settings are patched one by one, and every write gives a new ETag", async () => {
    const before = await api.get(`/surveys/${journeyState.surveyId}`);
    const patched = await api.call("PATCH", `/surveys/${journeyState.surveyId}`, {
      headers: { "if-match": before.headers.get("etag")! },
      body: { name: "Lunch today", settings: { display: { progressStyle: "steps" } } },
    });
    const { display } = before.data.settings;
    expectSuccess(patched, 200, {
      ...before.data,
      name: "Lunch today",
      settings: { ...before.data.settings, display: { ...display, progressStyle: "steps" } },
      updatedAt: anyTime,
    });
    expect(patched.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect((await api.get(`/surveys/${journeyState.surveyId}`)).raw).toContain(
      patched.headers.get("etag")!.replaceAll('"', '\\"'),
    );
  });

  test("`If-None-Match` with the current ETag gets 304", async () => {
    const { headers } = await api.get(`/surveys/${journeyState.surveyId}`);
    const again = await api.call("GET", `/surveys/${journeyState.surveyId}`, {
      headers: { "if-none-match": `"other", ${headers.get("etag")}` },
    });
    expect({ status: again.status, raw: again.raw }).toEqual({ status: 304, raw: "" });
    expect(again.headers.get("etag")).toBe(headers.get("etag"));
  });

  test("publishing freezes the draft as version 1", async () => {
    const before = await api.get(`/surveys/${journeyState.surveyId}`);
    const etag = before.headers.get("etag")!;
    const published = await api.call("POST", `/surveys/${journeyState.surveyId}/publish`, {
      headers: { "if-match": etag },
      body: { note: "first" },
    });
    expectSuccess(published, 200, { versionId: anyId, versionNumber: 1, publishedAt: anyTime });
    const survey = await api.get(`/surveys/${journeyState.surveyId}`);
    expect(survey.data).toMatchObject({
      active: 1,
      publishedVersion: 1,
      hasUnpublishedChanges: false,
      questionCount: 3,
    });
    expect(survey.headers.get("etag")).toBe(published.headers.get("etag"));
    expect(survey.headers.get("etag")).not.toBe(etag);
  });
}
