import { publicDefinition, type Page, type Question } from "@canvass/questions";
import { expect, test } from "vitest";
import { pageOf, questionsOf } from "../../test/sample-survey.ts";
import { firstPageOf } from "./first-page.ts";

test("what depends on the respondent is not shown", () => {
  const showIf = { field: "x", operator: "answered" } as const;
  const [first, second] = questionsOf({ type: "short_text", text: "First?" }, { type: "short_text", text: "Second?" });
  const [perhapsFirst, perhapsSecond] = [first!, second!].map((each) => ({ ...each, logic: { showIf } }));
  const shown = (elements: Question[], rest?: Partial<Page>) =>
    firstPageOf(publicDefinition({ pages: [pageOf(elements, rest)] }))?.questions.length;
  expect(shown([first!, perhapsSecond!])).toBe(1);
  expect(shown([perhapsFirst!, second!])).toBe(0);
  expect(shown([first!, second!], { shuffle: true })).toBe(0);
  expect(shown([perhapsFirst!, perhapsSecond!])).toBeUndefined();
  expect(shown([first!], { showIf })).toBeUndefined();
});

test("before anything is answered texts show defaults, and those about the respondent nothing", () => {
  const questions = questionsOf(
    { type: "short_text", text: "Name?", name: "who" },
    { type: "short_text", text: "Hi {{who|*you*}}", helpText: "{{field.x|there}} {{who}}" },
    { type: "short_text", text: "**Hi** {{who|*you*}}", typeSettings: { textFormat: "markdown" } },
  );
  const page = firstPageOf(publicDefinition({ pages: [pageOf(questions, { title: "{{contact.firstName|You}}" })] }));
  expect(page).toEqual({
    title: "\u00a0",
    questions: [
      { text: "Name?", helpText: null },
      { text: "Hi *you*", helpText: "\u00a0" },
      { text: "Hi *you*", helpText: null },
    ],
  });
});
