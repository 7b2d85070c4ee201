import { buildQuestions, type Page, type Question } from "@canvass/questions";
import { expect, test } from "vitest";
import { draftIssues } from "./draft-issues.ts";

let next = 0;
const newId = () => String(++next).padStart(16, "0");

function question(fields: object, changes: Partial<Question> = {}): Question {
  const built = buildQuestions([{ type: "short_text", text: "Why?", ...fields }], newId);
  if ("faults" in built) throw new Error(JSON.stringify(built.faults));
  return { ...built.questions[0]!.question, ...changes };
}

function page(elements: Question[], changes: Partial<Page> = {}): Page {
  return { pageId: newId(), title: null, loop: null, skipLogic: [], elements, ...changes };
}

const pathsOf = (pages: Page[]): string[] => draftIssues({ pages }).map(({ path }) => path);

test("a draft of sound questions has no issues, an empty page among them neither", () => {
  expect(pathsOf([page([question({}), question({ type: "multiple_choice" })]), page([])])).toEqual([]);
});

test("a draft without questions has one issue however many pages", () => {
  expect(pathsOf([page([]), page([])])).toEqual(["questions"]);
});

test("empty texts and lists without a standing entry are found where they are", () => {
  const choices = [{ id: newId(), text: "gone", retired: true }];
  expect(
    pathsOf([
      page([question({}, { text: null })]),
      page([
        question({}, { text: " \n" }),
        question({ type: "dropdown" }, { choices }),
        question({ type: "matrix" }, { rows: [], columns: [] }),
      ]),
    ]),
  ).toEqual([
    "pages.0.elements.0.text",
    "pages.1.elements.0.text",
    "pages.1.elements.1.choices",
    "pages.1.elements.2.rows",
    "pages.1.elements.2.columns",
  ]);
});

test("a loop needs a question with items on an earlier page", () => {
  const items = question({ type: "multiple_choice", multipleAnswers: true });
  const plain = question({});
  const loopOver = ({ elementId }: Question) => ({ loop: { elementId } });
  expect(pathsOf([page([items]), page([plain], loopOver(items))])).toEqual([]);
  expect(pathsOf([page([plain]), page([items], loopOver(items))])).toEqual(["pages.1.loop"]);
  expect(pathsOf([page([plain]), page([items], loopOver(plain))])).toEqual(["pages.1.loop"]);
  expect(pathsOf([page([plain], { loop: { elementId: newId() } })])).toEqual(["pages.0.loop"]);
});

test("skip logic leads forward, from what was asked by then", () => {
  const [first, last] = [question({}), question({})];
  const end = page([last]);
  const skip = (elementId: string, goTo: string) => ({
    skipLogic: [{ when: { elementId, operator: "answered" as const }, goTo }],
  });
  expect(pathsOf([page([first], skip(first.elementId, end.pageId)), end])).toEqual([]);
  expect(pathsOf([page([first], skip(first.elementId, "end")), end])).toEqual([]);
  expect(pathsOf([page([first], skip(last.elementId, newId())), end])).toEqual([
    "pages.0.skipLogic.0.when.elementId",
    "pages.0.skipLogic.0.goTo",
  ]);
  const back = page([first]);
  expect(pathsOf([back, page([last], skip(first.elementId, back.pageId))])).toEqual(["pages.1.skipLogic.0.goTo"]);
});
