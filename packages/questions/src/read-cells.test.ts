import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerables } from "../test/value-arbitraries.ts";
import { sampleQuestion } from "../test/sample-question.ts";
import { questionTypeOf } from "./catalogue.ts";
import { readCells } from "./read-cells.ts";

const readable = Object.entries(answerables).filter(([name]) => name !== "file_upload");

describe.each(readable)("%s", (_name, { question, values }) => {
  const type = questionTypeOf(question);
  const columns = type.exportColumns(question);

  test("cells of a value are read as a value with these cells, which the question takes", () => {
    fc.assert(
      fc.property(values, (value) => {
        const cells = type.exportCells(question, value);
        const read = readCells(columns, cells);
        if (cells.every((cell) => cell === null)) expect(read).toBeUndefined();
        else {
          expect(type.exportCells(question, read)).toEqual(cells);
          expect(type.checkValue(question, read)).toEqual([]);
        }
      }),
    );
  });
});

test("a text beside no chosen entry chooses its entry", () => {
  const question = sampleQuestion("multiple_choice", {
    choices: ["A", { text: "B", freeText: true }],
    multipleAnswers: false,
  });
  const [, b] = question.choices!;
  const columns = questionTypeOf(question).exportColumns(question);
  expect(readCells(columns, [null, "why"])).toEqual({ choiceId: b!.id, otherText: "why" });
});
