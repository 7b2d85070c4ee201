import { publicDefinition } from "@canvass/questions";
import { expect, test } from "vitest";
import { pageOf, questionsOf } from "../../test/sample-survey.ts";
import { firstPageOf } from "./first-page.ts";

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
