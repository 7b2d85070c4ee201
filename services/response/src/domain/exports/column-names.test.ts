import { questionTypeOf, type ExportColumn, type Question } from "@canvass/questions";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createColumnNames } from "./column-names.ts";
import type { MergedQuestion } from "./merged-questions.ts";
import { variableName } from "./variable-names.ts";

const id = (text: string) => text.padEnd(16, "0");
const entry = (text: string, code?: string) => ({ id: id(text), text, retired: false, ...(code && { code }) });

function asked(key: string, name?: string, more: Partial<Question> = {}): MergedQuestion {
  const question = {
    elementId: id(`e${key}`),
    questionId: id(key),
    ...(name !== undefined && { name }),
    type: 3,
    text: key,
    helpText: null,
    typeSettings: {},
    responseValidation: { required: false },
    ...more,
  };
  return { question, elementIds: new Set([question.elementId]), items: [null], codes: [] };
}

const choices = (...given: [text: string, code?: string][]) => ({
  type: 4,
  typeSettings: { multipleAnswers: true, other: { enabled: true, label: "Other", choiceId: id("other"), code: "96" } },
  choices: given.map(([text, code]) => entry(text, code)),
});

const fixed = ["status", "language", "contact_email"];

function namesOf(questions: readonly MergedQuestion[], only = questions) {
  const nameColumns = createColumnNames(questions, fixed);
  return only.flatMap((each) => {
    const nameColumn = nameColumns(each);
    const columns = questionTypeOf(each.question).exportColumns(each.question);
    return each.items.flatMap((item) =>
      columns.map((column): ReturnType<typeof nameColumn> => {
        const own = (text: string) => (item ? text.replace(/^\w{16}/, `$&:${item.id}`) : text);
        const asked = column.part?.question;
        const part = asked && { ...column.part!, question: { ...asked, id: own(asked.id) } };
        const placed: ExportColumn = { ...column, id: own(column.id), ...(part && { part }) };
        return nameColumn(placed, item);
      }),
    );
  });
}

const plain = (questions: readonly MergedQuestion[]) => namesOf(questions).map(({ name }) => name);

test("a column has its question's name, or one made of the id", () => {
  expect(plain([asked("a", "Age"), asked("b")])).toEqual(["Age", `q_${id("b")}`]);
});

test("parts have the codes of their entries, or their ids", () => {
  const multiple = asked("a", "uses", choices(["tv", "1"], ["radio"], ["web", "x-y"]));
  expect(namesOf([multiple])).toEqual([
    { name: "uses_1", group: "uses", setName: "uses" },
    { name: `uses_${id("radio")}`, group: "uses", setName: "uses" },
    { name: `uses_${id("web")}`, group: "uses", setName: "uses" },
    { name: "uses_96", group: "uses", setName: "uses" },
    { name: "uses_otherText", group: "uses_otherText" },
  ]);
  const matrix = {
    type: 12,
    typeSettings: { multiple: true },
    rows: [entry("r", "row"), entry("s")],
    columns: [entry("c", "2")],
  };
  expect(namesOf([asked("m", "grid", matrix)])).toEqual([
    { name: "grid_row_2", group: "grid", setName: "grid_row" },
    { name: `grid_${id("s")}_2`, group: "grid", setName: `grid_${id("s")}` },
  ]);
  expect(namesOf([asked("m", undefined, matrix)])[0]).toEqual({
    name: variableName(`${id("m")}.${id("r")}.${id("c")}`),
    group: `q_${id("m")}`,
    setName: `q_${id("m")}_${id("r")}`,
  });
});

test("repetitions of a question have the codes of their items", () => {
  const items = [
    { id: id("cat"), label: "Cat", entryCode: "c" },
    { id: id("dog"), label: "Dog" },
  ];
  expect(plain([{ ...asked("a", "age"), items }])).toEqual(["age_c", `age_${id("dog")}`]);
});

test("groups and sets of items with one code differ", () => {
  const items = [
    { id: id("cat"), label: "Cat", entryCode: "c" },
    { id: id("cow"), label: "Cow", entryCode: "C" },
  ];
  expect(
    namesOf([{ ...asked("a", "uses", choices(["tv", "1"])), items }]).map(({ group, setName }) => [group, setName]),
  ).toEqual([
    ["uses_c", "uses_c"],
    ["uses_c", "uses_c"],
    ["uses_c_otherText", undefined],
    ...Array.from({ length: 2 }, () => Array.from({ length: 2 }, () => variableName(`${id("a")}:${id("cow")}`))),
    [variableName(`${id("a")}:${id("cow")}.otherText`), undefined],
  ]);
});

test("a name belongs to the newest question that has it; words and columns of every export keep theirs", () => {
  expect(plain([asked("a", "x"), asked("b", "X")])).toEqual(["x", "q_X"]);
  expect(plain([asked("a", "Status"), asked("b", "with"), asked("c", "contact_attributes_job")])).toEqual([
    "q_Status",
    "q_with",
    "q_contact_attributes_job",
  ]);
  expect(plain([asked("a", "status"), asked("b", "q_status")])).toEqual([`q_${id("a")}`, "q_status"]);
  expect(plain([asked("a", `q_${id("b")}`), asked("b")])).toEqual([`q_q_${id("b")}`, `q_${id("b")}`]);
});

test("a part gives way to a question of that name, and to one whose parts could have it", () => {
  const questions = [asked("a", "a", choices(["one", "b"], ["two", "b_c"], ["three", "d"])), asked("b", "a_b")];
  expect(plain(questions).slice(0, 3)).toEqual([
    variableName(`${id("a")}.${id("one")}`),
    variableName(`${id("a")}.${id("two")}`),
    "a_d",
  ]);
});

test("names of any survey are unique ignoring case, fit, and are the same in an export of some questions", () => {
  const name = fc.option(
    fc.oneof(
      fc.constantFrom("a", "A", "a_b", "a_1", "q_a", "status", "to", `q_${id("0")}`, `a_${id("x")}`),
      fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,63}$/),
    ),
    { nil: undefined },
  );
  const code = fc.option(fc.oneof(fc.constantFrom("1", "b", "B", "b_1", "-1"), fc.stringMatching(/^\w{1,32}$/)), {
    nil: undefined,
  });
  const question = fc.tuple(name, fc.array(code, { maxLength: 3 }), fc.boolean());
  fc.assert(
    fc.property(fc.array(question, { minLength: 1, maxLength: 6 }), (given) => {
      const questions = given.map(([own, codes, isLooped], at): MergedQuestion => {
        const distinct = [...new Set(codes)].map((each, index): [string, string?] => [`${at}${index}`, each]);
        const made = asked(String(at), own, codes.length > 0 ? choices(...distinct) : {});
        const items = [null, { id: id("x"), label: "X", entryCode: "b" }, { id: id("y"), label: "Y" }];
        return isLooped ? { ...made, items } : made;
      });
      const names = plain(questions).map((each) => each.toLowerCase());
      expect(new Set([...names, ...fixed]).size).toBe(names.length + fixed.length);
      for (const each of names) expect(each).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
      const alone = questions.flatMap((each) => namesOf(questions, [each]));
      expect(alone).toEqual(namesOf(questions));
    }),
  );
});
