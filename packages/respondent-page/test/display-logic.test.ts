import type { Question, SurveyDefinition } from "@canvass/questions";
import { openBrowser, openContext, openPage, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const message = "The end must be greater than the beginning.";

let questions: Record<"pet" | "name" | "contact" | "beginning" | "end" | "last", Question>;

function survey(): SurveyDefinition {
  const [pet, name, contact, beginning, end, last] = questionsOf(
    { type: "short_text", text: "Which animal do you have?" },
    { type: "short_text", text: "What is its name?" },
    { type: "contact_info", text: "Who looks after it?" },
    { type: "number", text: "Beginning" },
    { type: "number", text: "End" },
    { type: "short_text", text: "Anything else?" },
  ) as [Question, Question, Question, Question, Question, Question];
  questions = { pet, name, contact, beginning, end, last };
  const dog = { elementId: pet.elementId, operator: "starts_with" as const, value: "dog" };
  name.logic = { showIf: { elementId: pet.elementId, operator: "answered" }, requiredIf: dog };
  contact.logic = { showIf: dog };
  const must = { elementId: end.elementId, operator: "greater_than" as const, answerOf: beginning.elementId };
  end.logic = { constraints: [{ must, message }] };
  return {
    pages: [
      pageOf([pet, name, contact], { title: "Animals" }),
      pageOf([beginning, end], { title: "Times", showIf: dog }),
      pageOf([last], { title: "Last" }),
    ],
  };
}

let browser: Browser;
let stand: StandIn;
beforeAll(async () => {
  browser = await openBrowser();
  stand = await startStandIn({ logic: { definition: survey() } });
});
afterAll(async () => {
  await stand?.[Symbol.asyncDispose]();
});

const field = (page: Page, name: string | RegExp) => page.getByRole("textbox", { name });
const at = (page: Page, title: string) => page.getByRole("heading", { name: title, exact: true }).waitFor();
const told = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text }).waitFor();

test("questions appear and disappear while typing, and only shown ones are required, checked and sent", async () => {
  await using opened = await openContext(browser);
  const page = await openPage(opened.context, stand.url("logic"));
  await at(page, "Animals");
  const [pet, name] = [field(page, /Which animal/), field(page, /its name/)];
  expect([await name.count(), await page.getByRole("group", { name: /looks after/ }).count()]).toEqual([0, 0]);

  await pet.pressSequentially("do");
  await name.waitFor();
  await told(page, "More questions or choices are shown now.");
  await pet.pressSequentially("g");
  await page.getByText("Who looks after it?").waitFor();
  // The field that is typed into keeps the focus and its text.
  expect([await pet.evaluate((element) => element === document.activeElement), await pet.inputValue()]).toEqual([
    true,
    "dog",
  ]);
  expect(await seriousFindings(page)).toEqual([]);

  await goOn(page);
  await page.getByText("Please answer this question.").first().waitFor();
  await name.fill("Rex");
  await page.getByRole("textbox", { name: /E-mail/ }).fill("not an address");

  // Hidden again, the wrong address is neither checked nor sent.
  await pet.fill("cat");
  await told(page, "Fewer questions or choices are shown now.");
  await goOn(page);
  await at(page, "Last");
  await page.getByRole("button", { name: "Back" }).click();
  await at(page, "Animals");
  await pet.fill("dogs");
  // What was typed is still there.
  expect(await page.getByRole("textbox", { name: /E-mail/ }).inputValue()).toBe("not an address");
  await page.getByRole("textbox", { name: /E-mail/ }).fill("");
  await goOn(page);

  await at(page, "Times");
  await field(page, /Beginning/).fill("5");
  await field(page, /End/).fill("4");
  await goOn(page);
  await page.getByText(message).first().waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await field(page, /End/).fill("6");
  await goOn(page);
  await at(page, "Last");
  await goOn(page);
  await page.getByText("Thank you!").waitFor();
  const [respondent] = stand.respondents.values();
  const { pet: animal, name: itsName, contact, beginning, end, last } = questions;
  expect(Object.fromEntries(respondent!.answers)).toEqual({
    [animal.elementId]: "dogs",
    [itsName.elementId]: "Rex",
    [beginning.elementId]: 5,
    [end.elementId]: 6,
  });
  expect([contact, last].some(({ elementId }) => respondent!.answers.has(elementId))).toBe(false);
  expect(opened.troubles).toEqual([]);
});
