import type { SurveyDefinition } from "@canvass/questions";
import { callOptions } from "@canvass/rpc";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  idempotent,
  question,
  refusal,
  signedPerson,
  startSurveyFixture,
  type SurveyFixture,
} from "./survey-fixture.ts";

let fixture: SurveyFixture;
beforeAll(async () => void (fixture = await startSurveyFixture()));
afterAll(() => fixture[Symbol.asyncDispose]());

const several = { type: "multiple_choice", text: "Which?", choices: ["a", "b"], multipleAnswers: true };

/** Three pages: a question with several answers and a text, two texts, one text. */
async function threePages() {
  const { surveyId } = await fixture.create({ name: "Pages" });
  const questions = [
    { ...several, pageTitle: "One" },
    question("b"),
    question("c", { pageTitle: "Two" }),
    question("d"),
    question("e", { pageTitle: "Three" }),
  ];
  const elements = (await fixture.add(surveyId, { questions })).map(({ elementId }) => elementId);
  const pages = await fixture.pages(surveyId);
  return { surveyId, elements, pages: pages.map(({ pageId }) => pageId) };
}

test("pages are listed in order with their elements", async () => {
  const { surveyId, elements } = await threePages();
  const pages = await fixture.pages(surveyId);
  expect(pages.map(({ sortOrder, title, elementIds }) => [sortOrder, title, elementIds])).toEqual([
    [1, "One", elements.slice(0, 2)],
    [2, "Two", elements.slice(2, 4)],
    [3, "Three", elements.slice(4)],
  ]);
  const { surveyId: empty } = await fixture.create({ name: "Empty" });
  const [page] = await fixture.pages(empty);
  expect(page).toMatchObject({ surveyId: empty, sortOrder: 1, loopElementId: "", skipLogicJson: "[]", elementIds: [] });
  expect(page!.title).toBeUndefined();
});

test("a patch changes only the given fields", async () => {
  const { surveyId, elements, pages } = await threePages();
  const skipLogic = [{ when: { elementId: elements[1]!, operator: "equals", value: "x" }, goTo: "end" }];
  await fixture.patchPage(surveyId, pages[1]!, { skipLogic, loop: { elementId: elements[0]! } });
  const patched = await fixture.patchPage(surveyId, pages[1]!, { title: null });
  expect(patched.title).toBeUndefined();
  expect(patched).toMatchObject({ loopElementId: elements[0], sortOrder: 2, elementIds: elements.slice(2, 4) });
  expect(JSON.parse(patched.skipLogicJson)).toEqual(skipLogic);
  expect((await fixture.pages(surveyId))[1]).toEqual({
    ...patched,
    skipLogicJson: expect.any(String),
  });
  await fixture.patchPage(surveyId, pages[1]!, { loop: null, skipLogic: [] });
  expect((await fixture.pages(surveyId))[1]).toMatchObject({ loopElementId: "", skipLogicJson: "[]" });
});

test("a page stores whether it shuffles elements, and items unless it has rules; changes are unpublished", async () => {
  const { surveyId, elements, pages } = await threePages();
  const patch = (change: object) => fixture.patchPage(surveyId, pages[1]!, change);
  expect(await patch({ shuffle: true })).toMatchObject({ shuffle: true, shufflesItems: false });
  const loop = { elementId: elements[0]!, shuffle: true };
  expect(await patch({ loop })).toMatchObject({ shuffle: true, shufflesItems: true });
  const rules = { skipLogic: [{ when: { elementId: elements[1]!, operator: "answered" }, goTo: "end" }] };
  expect(await refusal(patch(rules))).toMatchObject({
    details: { skipLogic: ["cannot be combined with loop.shuffle"] },
  });
  expect(await refusal(patch({ ...rules, loop }))).toMatchObject({
    details: { "loop.shuffle": ["cannot be combined with skipLogic"] },
  });
  await fixture.publish(surveyId);
  expect(await patch({ shuffle: false, loop: { ...loop, shuffle: false } })).toMatchObject({
    shuffle: false,
    shufflesItems: false,
    loopElementId: elements[0],
  });
  expect(await fixture.read(surveyId)).toMatchObject({ hasUnpublishedChanges: true });
  await patch({ shuffle: true, loop });
  expect(await fixture.read(surveyId)).toMatchObject({ hasUnpublishedChanges: false });
});

test("a rule of several comparisons is kept as given, and removed with any question that it asks", async () => {
  const { surveyId, elements, pages } = await threePages();
  const [a, b, c] = elements as [string, string, string];
  const compares = (elementId: string, operator: string, value?: unknown) => ({ elementId, operator, value });
  const when = {
    all: [{ any: [compares(b, "in", ["x", "y"]), { not: compares(a, "answered") }] }, compares(c, "starts_with", "z")],
  };
  const rules = [
    { when, goTo: "end" },
    { when: compares(c, "answered"), goTo: "end" },
  ];
  const patched = await fixture.patchPage(surveyId, pages[1]!, { skipLogic: rules });
  expect(JSON.parse(patched.skipLogicJson)).toEqual(JSON.parse(JSON.stringify(rules)));
  expect(await refusal(fixture.order(surveyId, pages[2]!, [elements[4]!, b]))).toMatchObject({
    details: { "pages.1.skipLogic.0.when.all.0.any.0.elementId": [expect.stringContaining("earlier page")] },
  });
  await fixture.remove(b, []);
  expect(JSON.parse((await fixture.pages(surveyId))[1]!.skipLogicJson)).toHaveLength(1);
});

test("elements are ordered within a page and move across pages", async () => {
  const { surveyId, elements, pages } = await threePages();
  const [a, b, c, d, e] = elements as [string, string, string, string, string];
  const untouched = await fixture.element(e);
  const page = await fixture.order(surveyId, pages[0]!, [d, b, a]);
  expect(page).toMatchObject({ pageId: pages[0], elementIds: [d, b, a] });
  expect((await fixture.elements(surveyId)).map(({ id, pageId, sortOrder }) => [id, pageId, sortOrder])).toEqual([
    [d, pages[0], 1],
    [b, pages[0], 2],
    [a, pages[0], 3],
    [c, pages[1], 1],
    [e, pages[2], 1],
  ]);
  expect((await fixture.element(e)).etag).toBe(untouched.etag);
  expect((await fixture.read(surveyId)).hasUnpublishedChanges).toBe(true);
  // A page that becomes empty stays.
  await fixture.order(surveyId, pages[0]!, [d, b, a, c]);
  expect((await fixture.pages(surveyId)).map(({ elementIds }) => elementIds.length)).toEqual([4, 0, 1]);
});

test("a question with a default answer moves, and so do those beside it", async () => {
  const choosing = { type: "dropdown", choices: ["Soup", "Salad"], defaultValue: "Soup" };
  const { surveyId } = await fixture.create({
    questions: [question("Who?"), question("Which?", choosing)],
    name: "One",
  });
  const [page] = await fixture.pages(surveyId);
  const [who, which] = (await fixture.elements(surveyId)).map(({ id }) => id as string) as [string, string];
  expect((await fixture.order(surveyId, page!.pageId, [which, who])).elementIds).toEqual([which, who]);
  const [end] = await fixture.add(surveyId, { questions: [question("Why?", { pageTitle: "End" })] });
  const { pageId, elementId } = end!;
  expect((await fixture.order(surveyId, pageId, [elementId, which])).elementIds).toEqual([elementId, which]);
});

test("a move that leaves logic before the question it asks is refused", async () => {
  const { surveyId, elements, pages } = await threePages();
  const when = { elementId: elements[0]!, operator: "answered" };
  await fixture.patchPage(surveyId, pages[1]!, {
    loop: { elementId: elements[0]! },
    skipLogic: [{ when, goTo: "end" }],
  });
  const move = fixture.order(surveyId, pages[2]!, [elements[4]!, elements[0]!]);
  expect(Object.keys((await refusal(move)).details)).toEqual([
    "pages.1.loop.elementId",
    "pages.1.skipLogic.0.when.elementId",
  ]);
});

test("a write with a key takes effect once", async () => {
  const { surveyId, elements, pages } = await threePages();
  const reversed = elements.slice(0, 2).toReversed();
  const order = idempotent("order", reversed);
  const first = await fixture.order(surveyId, pages[0]!, reversed, order.context);
  const { etag } = await fixture.read(surveyId);
  expect(await fixture.order(surveyId, pages[0]!, reversed, order.context)).toEqual(first);
  const patch = idempotent("patch", { title: "Two!" });
  await fixture.patchPage(surveyId, pages[1]!, { title: "Two!" }, patch.context);
  await fixture.patchPage(surveyId, pages[1]!, { title: "Two!" }, patch.context);
  expect([order.replays.length, patch.replays.length]).toEqual([1, 1]);
  expect((await fixture.read(surveyId)).etag).not.toBe(etag);
});

test("sixteen writers at once leave pages and places without gaps", async () => {
  const { surveyId, elements, pages } = await threePages();
  const known = [...elements];
  const pick = <Item>(list: readonly Item[], at: number): Item => list[at % list.length]!;
  const refused: string[] = [];
  const writes: ((at: number) => Promise<unknown>)[] = [
    async (at) => {
      const titled = at % 3 === 0 ? { pageTitle: `Page ${at}` } : {};
      const body = { questions: [question(`q${at}`, titled), { ...several, text: `m${at}` }] };
      known.push(...(await fixture.add(surveyId, body)).map(({ elementId }) => elementId));
    },
    (at) => fixture.remove(pick(known, at * 7)),
    async (at) => {
      const page = pick(await fixture.pages(surveyId), at);
      const guest = pick(known, at * 5);
      const others = page.elementIds.filter((id) => id !== guest);
      await fixture.order(surveyId, page.pageId, [...others.toReversed(), guest]);
    },
    async (at) => {
      const goTo = at % 2 === 0 ? "end" : pick(pages, at);
      const skipLogic = [{ when: { elementId: pick(known, at), operator: "answered" }, goTo }];
      await fixture.patchPage(surveyId, pick(pages, at), { title: `T${at}`, skipLogic });
    },
    (at) => {
      const body = { settings: {}, questionText: `Text ${at}` };
      return fixture.edit(pick(known, at * 3), { edit: "settings", body });
    },
  ];
  const writer = async (number: number) => {
    for (let round = 0; round < 8; round++) {
      const at = number * 8 + round;
      try {
        await pick(writes, at)(at);
      } catch (error) {
        refused.push((error as { code: string }).code);
      }
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, number) => writer(number)));
  expect(new Set(refused)).toEqual(
    new Set(["validation_failed", "element_not_found"].filter((c) => refused.includes(c))),
  );
  expect(refused.length).toBeLessThan(100);
  const listed = await fixture.pages(surveyId);
  expect(listed.map(({ sortOrder }) => sortOrder)).toEqual(listed.map((_, index) => index + 1));
  const rows = await fixture.sql<{ id: string; page: string; at: number }>(
    `SELECT element_id AS id, page_id AS page, sort_order AS at FROM elements WHERE survey_id = '${surveyId}' ORDER BY 2, 3`,
  );
  for (const { pageId, elementIds } of listed) {
    const own = rows.filter(({ page }) => page === pageId);
    expect(own.map(({ at }) => at)).toEqual(own.map((_, index) => index + 1));
    expect(own.map(({ id }) => id)).toEqual(elementIds);
  }
  expect((await fixture.read(surveyId)).questionCount).toBe(rows.length);
});

test("publishing drops empty pages from the version and the draft; rules lead to the next page that is left", async () => {
  const { surveyId, elements, pages } = await threePages();
  const [a, b, c, d, e] = elements as [string, string, string, string, string];
  const skipLogic = [{ when: { elementId: b, operator: "answered" }, goTo: pages[1]! }];
  await fixture.patchPage(surveyId, pages[0]!, { skipLogic });
  await fixture.publish(surveyId);
  await fixture.order(surveyId, pages[2]!, [c, d, e]);
  expect((await fixture.pages(surveyId)).map(({ pageId }) => pageId)).toEqual(pages);
  const { summary, changes } = await fixture.changes(surveyId);
  expect(summary.class).toBe("results_affecting");
  expect(changes.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["page_removed", "skip_logic_changed"]));
  const { versionId } = await fixture.publish(surveyId);
  const left = await fixture.pages(surveyId);
  expect(left.map(({ pageId, sortOrder, elementIds }) => [pageId, sortOrder, elementIds])).toEqual([
    [pages[0], 1, [a, b]],
    [pages[2], 2, [c, d, e]],
  ]);
  expect(JSON.parse(left[0]!.skipLogicJson)).toEqual([{ ...skipLogic[0], goTo: pages[2] }]);
  const version = await fixture.client.getVersion(
    { surveyId, versionId },
    callOptions({ signedCaller: signedPerson() }),
  );
  const definition = JSON.parse(version.definitionJson) as SurveyDefinition;
  expect(definition.pages.map(({ pageId }) => pageId)).toEqual([pages[0], pages[2]]);
  expect(await fixture.read(surveyId)).toMatchObject({ hasUnpublishedChanges: false });
  expect(await refusal(fixture.patchPage(surveyId, pages[1]!, { title: "x" }))).toMatchObject({
    code: "page_not_found",
  });
  // The backup from before the publication still has the page.
  const [backup] = await fixture.backups(surveyId);
  const source = { surveyId, backupId: backup!.backupId, ifMatch: ["*"] };
  await fixture.client.restoreBackup(source, callOptions({ signedCaller: signedPerson() }));
  expect((await fixture.pages(surveyId)).map(({ pageId }) => pageId)).toEqual(pages);
  await fixture.publish(surveyId);
  expect((await fixture.pages(surveyId)).map(({ pageId }) => pageId)).toEqual([pages[0], pages[2]]);
});

test("an empty page with rules is kept, and adding and removing one leaves nothing to publish", async () => {
  const { surveyId, elements, pages } = await threePages();
  const skipLogic = [{ when: { elementId: elements[1]!, operator: "answered" }, goTo: "end" }];
  await fixture.patchPage(surveyId, pages[1]!, { skipLogic });
  await fixture.remove(elements[2]!);
  await fixture.remove(elements[3]!);
  await fixture.publish(surveyId);
  expect((await fixture.pages(surveyId)).map(({ pageId }) => pageId)).toEqual(pages);
  const [added] = await fixture.add(surveyId, { questions: [question("f", { pageTitle: "Four" })] });
  await fixture.remove(added!.elementId);
  const draft = await fixture.client.getDraft({ surveyId }, callOptions({ signedCaller: signedPerson() }));
  expect(draft).toMatchObject({ state: "clean", changeCount: 0 });
  expect(await refusal(fixture.publish(surveyId))).toMatchObject({ code: "nothing_to_publish" });
});

test("a survey has at most 1,000 pages; the violation is at the title that starts one more, and publishing makes room", async () => {
  const titled = (pageTitle: string) => question("q", { pageTitle });
  const questions = Array.from({ length: 1_000 }, (_, at) => titled(`${at}`));
  const { surveyId } = await fixture.create({ name: "Thousand", questions });
  const [first, second] = await fixture.elements(surveyId);
  await fixture.remove(first!["id"]);
  await fixture.remove(second!["id"]);
  expect(await refusal(fixture.add(surveyId, { questions: [question("fits"), titled("one more")] }))).toEqual({
    code: "validation_failed",
    details: { "questions.1.pageTitle": [expect.stringContaining("1000")] },
  });
  expect(await fixture.pages(surveyId)).toHaveLength(1_000);
  await fixture.publish(surveyId);
  expect(await fixture.pages(surveyId)).toHaveLength(998);
  await fixture.add(surveyId, { questions: [question("fits"), titled("one more")] });
  expect((await fixture.pages(surveyId)).at(-1)).toMatchObject({ sortOrder: 999, title: "one more" });
});
