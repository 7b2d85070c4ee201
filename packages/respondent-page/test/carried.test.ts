import type { Question, SurveyDefinition } from "@canvass/questions";
import { openBrowser, openContext, openPage, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { goOn, press, widths } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

/** Questions that carry the choices of the first: on its page, and on the next. */
function survey(): SurveyDefinition {
  const [brands, best, order, rest] = questionsOf(
    {
      type: "multiple_choice",
      text: "Which do you know?",
      multipleAnswers: true,
      choices: ["Ash", "Birch", "Cedar", { text: "None", exclusive: true }],
    },
    { type: "multiple_choice", text: "Which is best?" },
    { type: "ranking", text: "In order" },
    {
      type: "multiple_choice",
      text: "Which would you try?",
      multipleAnswers: true,
      typeSettings: { minSelections: 2 },
    },
  ) as [Question, Question, Question, Question];
  for (const [question, which] of [
    [best, "selected"],
    [order, "selected"],
    [rest, "not_selected"],
  ] as const) {
    delete question.choices;
    question.logic = { choicesFrom: { elementId: brands.elementId, which } };
  }
  return { pages: [pageOf([brands, best], { title: "Trees" }), pageOf([order, rest], { title: "More" })] };
}

let browser: Browser;
let stand: StandIn;
beforeAll(async () => {
  browser = await openBrowser();
  stand = await startStandIn({
    desktop: { definition: survey() },
    narrow: { definition: survey() },
  });
});
afterAll(async () => {
  await stand?.[Symbol.asyncDispose]();
});

const known = (page: Page, name: string) => page.getByRole("checkbox", { name, exact: true });
const best = (page: Page) => page.getByRole("radio").allTextContents();

test.each(Object.entries(widths))("choices follow those of an earlier question (%s)", async (code, options) => {
  await using opened = await openContext(browser, options);
  const page = await openPage(opened.context, stand.url(code));
  await known(page, "Ash").waitFor();
  expect([await page.getByText("Which is best?").count(), await best(page)]).toEqual([0, []]);
  await press(page, known(page, "Ash"));
  await page.getByText("Which is best?").waitFor();
  await page.getByRole("radio", { name: "Ash" }).waitFor();
  await press(page, known(page, "Cedar"));
  await press(page, page.getByRole("radio", { name: "Cedar" }));
  expect([await page.getByRole("radio").count(), await seriousFindings(page)]).toEqual([2, []]);
  expect(await page.locator("[role=status]").allTextContents()).toContainEqual(expect.stringMatching(/\S/));
  // What is no longer carried is taken back.
  await press(page, known(page, "Cedar"));
  await page.getByRole("radio", { name: "Cedar" }).waitFor({ state: "detached" });
  expect(await page.getByRole("radio", { name: "Ash" }).isChecked()).toBe(false);
  await press(page, page.getByRole("radio", { name: "Ash" }));
  await press(page, known(page, "Birch"));
  await goOn(page);
  await page.getByRole("heading", { name: "More", exact: true }).waitFor();
  const ranked = page.locator("main").getByText(/^(?:Ash|Birch|Cedar)$/);
  expect((await ranked.allTextContents()).filter((text) => text !== "Cedar").toSorted()).toEqual(["Ash", "Birch"]);
  expect(await seriousFindings(page)).toEqual([]);
  await goOn(page);
  await page.getByText("Thank you!").waitFor();
  const [respondent] = [...stand.respondents.values()].filter((each) => each.code === code);
  const [source, chosen] = stand.surveys[code]!.definition.pages[0]!.elements as [Question, Question];
  const [ash, birch] = source.choices!.map(({ id }) => id);
  expect(Object.fromEntries(respondent!.answers)).toMatchObject({
    [source.elementId]: [ash, birch],
    [chosen.elementId]: ash,
  });
  expect(opened.troubles).toEqual([]);
});
