import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { AppError } from "@canvass/errors";
import type { Submission } from "@canvass/proto/response";
import { ElementKind, ElementSchema, PageSchema, type EditElementRequest } from "@canvass/proto/survey-elements";
import { expect, test } from "vitest";
import { surveyId } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

const elementId = "element000000000";
const pageId = "page000000000000";
const choiceId = "choice0000000000";
const questionId = "question00000000";
const at = new Date("2026-01-02T00:00:00Z");
const etag = '"0123456789abcdef"';

const someElement = (fields: object = {}) =>
  create(ElementSchema, {
    elementId,
    surveyId,
    pageId,
    questionId,
    name: "which",
    type: 4,
    typeName: "multiple_choice",
    sortOrder: 2,
    questionText: "Which?",
    createdAt: timestampFromDate(at),
    updatedAt: timestampFromDate(at),
    typeSettingsJson: '{"shuffle":true}',
    required: true,
    choices: [
      { id: choiceId, text: "a", code: "1" },
      { id: "choice0000000001", text: "b", retired: true, imageUrl: "https://example.org/b.png" },
    ],
    responses: 3n,
    etag,
    logicJson: JSON.stringify({ showIf: { elementId, operator: "answered" } }),
    ...fields,
  });

test("an element is shown whole, a known tag gets a 304, and each path asks for its kind", async () => {
  const kinds: ElementKind[] = [];
  await using edge = await startEdge({
    survey: {
      getElement: async ({ kind }) => {
        kinds.push(kind);
        return { element: someElement() };
      },
    },
  });
  const { body, headers } = await edge.call(`/elements/${elementId}`);
  expect(body.data).toEqual({
    id: elementId,
    surveyId,
    pageId,
    questionId,
    name: "which",
    type: 4,
    typeName: "multiple_choice",
    sortOrder: 2,
    questionText: "Which?",
    helpText: null,
    createdAt: at.toISOString(),
    updatedAt: at.toISOString(),
    settings: { typeSettings: { shuffle: true }, responseValidation: { required: true } },
    choices: [
      { id: choiceId, text: "a", code: "1" },
      { id: "choice0000000001", text: "b", imageUrl: "https://example.org/b.png", retired: true },
    ],
    required: true,
    showIf: { elementId, operator: "answered" },
    requiredIf: null,
    constraints: [],
    defaultValue: null,
    choicesFrom: null,
    answered: true,
    responses: 3,
  });
  expect([headers.get("etag"), body.meta.etag]).toEqual([etag, etag]);
  for (const kind of ["elements", "multiple-choice", "nps", "rating"]) {
    expect((await edge.call(`/${kind}/${elementId}`, { headers: { "if-none-match": etag } })).status).toBe(304);
  }
  const { UNSPECIFIED, CHOICES, NPS, RATING } = ElementKind;
  expect(kinds).toEqual([UNSPECIFIED, UNSPECIFIED, CHOICES, NPS, RATING]);
});

const title = { newTitle: "Yes" };
const choices = "multiple-choice";
const edits: [method: string, path: string, body: object | undefined, edit: string][] = [
  ["PUT", "elements/E/settings", { settings: {} }, "settings"],
  ["PUT", `${choices}/E/choice`, { choiceId, questionId, ...title }, "choice"],
  ["PUT", `${choices}/E/choice`, { choiceId: null, questionId, ...title, imageUrl: null }, "choice"],
  ["PUT", `${choices}/E/choices`, { choices: [{ choiceId: null, title: "b" }] }, "choices"],
  ["PUT", `${choices}/E/choices/order`, { choiceIds: [choiceId] }, "choiceOrder"],
  ["PUT", `${choices}/E/other`, { enabled: false }, "other"],
  ["DELETE", `${choices}/E/choice/${choiceId}`, undefined, "deleteChoice"],
  ["DELETE", `${choices}/E/image-choice/${choiceId}`, undefined, "deleteImageChoice"],
  ["PUT", "nps/E/label", { side: "left", text: "" }, "npsLabel"],
  ["PUT", "nps/E/settings", { required: false }, "npsSettings"],
  ["PUT", "rating/E/label", { position: 1, text: "x" }, "ratingLabel"],
  ["PUT", "rating/E/settings", { steps: 3 }, "ratingSettings"],
];

test.each(edits)(
  "%s %s is sent as its edit with the tags of `If-Match`, and answers with the new tag: %j",
  async (method, path, body, edit) => {
    const asked: EditElementRequest[] = [];
    await using edge = await startEdge({
      survey: {
        editElement: async (request) => {
          asked.push(request);
          return {
            element: someElement(),
            addedIds: [choiceId],
            retiredIds: [choiceId],
            retiredResponses: { [choiceId]: 2n },
          };
        },
      },
    });
    const address = `/${path.replace("E", elementId)}`;
    const init = { method, ...(body && { body: JSON.stringify(body) }) };
    const answer = await edge.call(address, { ...init, headers: { "if-match": '"a", "b"' } });
    expect([answer.status, answer.headers.get("etag")]).toEqual([200, etag]);
    await edge.call(address, init);
    expect(asked.map(({ ifMatch }) => ifMatch)).toEqual([['"a"', '"b"'], []]);
    expect(asked[0]).toMatchObject({ elementId, edit });
    expect(JSON.parse(asked[0]!.bodyJson)).toEqual(body ?? { choiceId });
    if (method === "DELETE") expect(answer.body.data).toEqual({ choiceId, retired: true, responses: 2 });
    else if (path.endsWith("/choice")) expect(answer.body.data).toMatchObject({ newId: choiceId, newTitle: "Yes" });
    else
      expect(answer.body.data.settings).toEqual({
        typeSettings: { shuffle: true },
        responseValidation: { required: true },
      });
  },
);

test("a retired choice whose answers are not counted has none", async () => {
  await using edge = await startEdge({
    survey: { editElement: () => ({ element: someElement(), retiredIds: [choiceId] }) },
  });
  const { body } = await edge.call(`/multiple-choice/${elementId}/choice/${choiceId}`, { method: "DELETE" });
  expect(body.data).toEqual({ choiceId, retired: true, responses: 0 });
});

const refused: [method: string, path: string, body: unknown, status: number, places: string[]][] = [
  ["PUT", `elements/${elementId}/settings`, undefined, 400, ["body"]],
  ["PUT", `rating/${elementId}/settings?x=1`, { steps: 1, style: "dot", y: 1 }, 422, ["steps", "style", "x", "y"]],
  ["DELETE", `${choices}/${elementId}/choice/no-id`, undefined, 404, []],
  ["DELETE", "elements/no-id", undefined, 403, []],
  ["GET", `nps/${elementId}/response`, undefined, 422, ["respondentId"]],
  ["GET", `surveys/${surveyId}/elements?include=all`, undefined, 422, ["include"]],
];

test("violations that the gateway can detect are refused there, each once", async () => {
  await using edge = await startEdge();
  for (const [method, path, body, status, places] of refused) {
    const answer = await edge.call(`/${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const { details } = answer.body.error;
    expect([path, answer.status, Object.keys(details).sort()]).toEqual([path, status, places]);
    const counts = Object.values<string[]>(details).map((messages) => messages.length);
    expect([path, counts]).toEqual([path, places.map(() => 1)]);
  }
});

test("deleting returns the result for the element; for a retired one when and with how many responses", async () => {
  let retired: AppError | undefined;
  await using edge = await startEdge({
    survey: {
      deleteElement: async () => {
        if (retired) throw retired;
        return { retired: true, responses: 12n };
      },
    },
  });
  const { body } = await edge.call(`/elements/${elementId}`, { method: "DELETE" });
  expect(body.data).toEqual({ elementId, retired: true, responses: 12 });
  retired = new AppError("element_retired", { retiredAt: at.toISOString(), responses: 12 });
  const again = await edge.call(`/elements/${elementId}`, { method: "DELETE" });
  expect([again.status, again.body.error.details]).toEqual([404, { retiredAt: at.toISOString(), responses: 12 }]);
});

test("pages are shown with their logic", async () => {
  const skipLogic = [{ when: { elementId, operator: "equals", value: [1] }, goTo: "end" }];
  const fields = { pageId, surveyId, sortOrder: 2, elementIds: [elementId] };
  const showIfJson = JSON.stringify({ elementId, operator: "answered" });
  const logic = { loopElementId: elementId, skipLogicJson: JSON.stringify(skipLogic), showIfJson };
  const looped = { ...fields, title: "Two", ...logic };
  const page = create(PageSchema, { ...looped, shuffle: true, shufflesItems: true });
  const plain = create(PageSchema, { ...fields, skipLogicJson: "[]" });
  const asked: unknown[] = [];
  await using edge = await startEdge({
    survey: {
      listPages: async () => ({ pages: [page, plain] }),
      updatePage: async ({ bodyJson, ...ids }) => {
        asked.push([ids.pageId, bodyJson]);
        return { page };
      },
      orderElements: async ({ bodyJson }) => {
        asked.push(bodyJson);
        return { page: plain };
      },
    },
  });
  const shown = {
    id: pageId,
    surveyId,
    sortOrder: 2,
    title: "Two",
    loop: { elementId, shuffle: true },
    showIf: { elementId, operator: "answered" },
    skipLogic,
    shuffle: true,
    block: null,
    elementIds: [elementId],
  };
  const bare = { ...shown, title: null, loop: null, showIf: null, skipLogic: [], shuffle: false };
  expect((await edge.call(`/surveys/${surveyId}/pages`)).body.data).toEqual([shown, bare]);
  const body = '{ "loop": null }';
  const patched = await edge.call(`/surveys/${surveyId}/pages/${pageId}`, { method: "PATCH", body });
  expect(patched.body.data).toEqual(shown);
  const order = { method: "PUT", body: JSON.stringify({ pageId, elementIds: [elementId] }) };
  expect((await edge.call(`/surveys/${surveyId}/elements/order`, order)).body.data).toEqual(bare);
  expect(asked).toEqual([[pageId, body], order.body]);
});

test("a score is sent as an ordinary submission, and read as one answer", async () => {
  const submissions: Submission[] = [];
  await using edge = await startEdge({
    survey: { getElement: async () => ({ element: someElement() }) },
    response: {
      batchSubmitAnswers: async (request) => {
        submissions.push(...request.submissions);
        const answers = [{ answerId: choiceId, elementId, submittedAt: timestampFromDate(at) }];
        const value = { respondentId: questionId, respondentStatus: "started", answers };
        return { results: request.submissions.map(() => ({ outcome: { case: "submitted" as const, value } })) };
      },
      getAnswer: async ({ respondentId }) =>
        respondentId === questionId
          ? { answer: { valueJson: "9", metaJson: '{"comment":"ok"}', submittedAt: timestampFromDate(at) } }
          : {},
    },
  });
  const body = JSON.stringify({ respondentId: questionId, score: 9, comment: "ok" });
  const stands = { elementId, respondentId: questionId, score: 9, comment: "ok", submittedAt: at.toISOString() };
  const submit = () => edge.call(`/nps/${elementId}/response`, { method: "POST", body });
  expect((await submit()).body.data).toEqual(stands);
  expect(submissions).toMatchObject([{ surveyId, npsElementId: elementId, bodyJson: body }]);
  const read = (id: string) => edge.call(`/nps/${elementId}/response?respondentId=${id}`);
  expect((await read(questionId)).body.data).toEqual({ ...stands, name: "which" });
  const none = { elementId, respondentId: pageId, score: null, comment: null, submittedAt: null };
  expect((await read(pageId)).body.data).toEqual({ ...none, name: "which" });
});
