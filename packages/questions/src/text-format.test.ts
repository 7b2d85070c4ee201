import { expect, test } from "vitest";
import { sampleQuestion } from "../test/sample-question.ts";
import { questionTypes, questionTypeOf } from "./catalogue.ts";
import { withPlainText } from "./text-format.ts";

const text = "**How** was [it](https://x.y)?";

test.each(questionTypes.map(({ typeName }) => typeName))("a %s may have its texts as Markdown", (typeName) => {
  const fields = { text, textFormat: "markdown", ...(typeName === "nps" && { subject: "*us*" }) };
  const question = sampleQuestion(typeName, fields);
  expect(question.typeSettings["textFormat"]).toBe("markdown");
  expect(withPlainText(question).text).toBe(withPlainText(question).text!.replaceAll("*", ""));
  for (const column of questionTypeOf(question).exportColumns(question)) {
    expect([column.text, column.part?.question.text]).not.toContainEqual(expect.stringMatching(/[*[]/));
  }
  expect(sampleQuestion(typeName).typeSettings["textFormat"]).toBe("plain");
});

test("plain text is unchanged", () => {
  const question = sampleQuestion("short_text", { text });
  expect(withPlainText(question)).toBe(question);
});
