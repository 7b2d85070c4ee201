import type { Condition, Question, SurveyDefinition } from "@canvass/questions";
import { openBrowser, openContext, openPage, phone, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { goOn, press } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

let questions: Record<"town" | "drinks" | "order" | "table" | "names" | "picture", Question>;

function survey(): SurveyDefinition {
  const [town, drinks, order, table, names, picture] = questionsOf(
    { type: "short_text", text: "Where?" },
    {
      type: "multiple_choice",
      text: "Drinks",
      multipleAnswers: true,
      choices: ["Tea", "Coffee", { text: "Cider", freeText: true }],
      typeSettings: { minSelections: 2 },
    },
    { type: "ranking", text: "In order", choices: ["First", "Second", "Third"] },
    {
      type: "matrix",
      text: "Table",
      rows: ["Here", "There"],
      columns: ["Yes", "No"],
      typeSettings: { eachRowRequired: true },
    },
    { type: "form", text: "Names", required: true, rows: [{ text: "Given" }, { text: "Middle", required: true }] },
    { type: "dropdown", text: "Street", choices: ["Main street"], required: true },
  ) as [Question, Question, Question, Question, Question, Question];
  questions = { town, drinks, order, table, names, picture };
  const inYork: Condition = { elementId: town.elementId, operator: "equals", value: "York" };
  drinks.logic = { entries: { [drinks.choices![2]!.id]: inYork, [drinks.choices![1]!.id]: { not: inYork } } };
  order.logic = { entries: { [order.choices![1]!.id]: inYork } };
  table.logic = { entries: { [table.rows![1]!.id]: inYork } };
  names.logic = { entries: { [names.rows![1]!.id]: inYork } };
  picture.logic = { entries: { [picture.choices![0]!.id]: inYork } };
  return {
    pages: [
      pageOf([town, drinks], { title: "One" }),
      pageOf([order, table, names, picture], { title: "Two" }),
      pageOf(questionsOf({ type: "short_text", text: "Anything else?" }), { title: "Last" }),
    ],
  };
}

let browser: Browser;
let stand: StandIn;
beforeAll(async () => {
  browser = await openBrowser();
  const definition = survey();
  stand = await startStandIn({ phone: { definition }, desktop: { definition } });
});
afterAll(async () => {
  await stand?.[Symbol.asyncDispose]();
});

const widths = [
  ["phone", phone],
  ["desktop", { viewport: { width: 1280, height: 1000 } }],
] as const;

const at = (page: Page, title: string) => page.getByRole("heading", { name: title, exact: true }).waitFor();
const choice = (page: Page, name: string) => page.getByRole("checkbox", { name, exact: true });

test.each(widths)(
  "choices and rows come and go, and only what is shown is asked and kept, on a %s",
  async (code, options) => {
    await using opened = await openContext(browser, options);
    const page = await openPage(opened.context, stand.url(code));
    await at(page, "One");
    const town = page.getByRole("textbox", { name: /Where/ });
    await choice(page, "Coffee").waitFor();
    expect(await choice(page, "Cider").count()).toBe(0);
    await press(page, choice(page, "Tea"));
    await press(page, choice(page, "Coffee"));

    await town.pressSequentially("York");
    await choice(page, "Cider").waitFor();
    // The field keeps the focus, and what is no longer shown is not chosen any more.
    expect(await town.evaluate((element) => element === document.activeElement)).toBe(true);
    expect([await choice(page, "Coffee").count(), await choice(page, "Tea").isChecked()]).toEqual([0, true]);
    await goOn(page);
    // Two of those that are shown are needed.
    await page.locator("#problems").waitFor();
    await press(page, choice(page, "Cider"));
    await page.getByRole("textbox", { name: "Cider", exact: true }).fill("dry");
    expect(await seriousFindings(page)).toEqual([]);
    await goOn(page);
    await at(page, "Two");
    expect([
      await page.getByText("Second", { exact: true }).count(),
      await page.getByText("There", { exact: true }).count(),
    ]).toEqual([1, 1]);

    await page.getByRole("button", { name: "Back" }).click();
    await at(page, "One");
    await town.fill("Leeds");
    await choice(page, "Coffee").waitFor();
    expect([await choice(page, "Cider").count(), await choice(page, "Coffee").isChecked()]).toEqual([0, false]);
    await press(page, choice(page, "Coffee"));
    await goOn(page);
    await at(page, "Two");
    expect([await page.getByText("Second", { exact: true }).count(), await page.getByText("Street").count()]).toEqual([
      0, 0,
    ]);
    await press(page, page.getByRole("radio", { name: /Yes/ }).first());
    expect([
      await page.getByRole("textbox", { name: /Middle/ }).count(),
      await page.getByText("There", { exact: true }).count(),
    ]).toEqual([0, 0]);
    await page.getByRole("textbox", { name: /Given/ }).fill("Ada");
    expect(await seriousFindings(page)).toEqual([]);
    await goOn(page);
    await at(page, "Last");
    await goOn(page);
    await page.getByText("Thank you!").waitFor();
    const respondent = [...stand.respondents.values()].find((each) => each.code === code)!;
    const { town: place, drinks, table, names } = questions;
    const [tea, coffee] = drinks.choices!;
    expect(Object.fromEntries(respondent.answers)).toMatchObject({
      [place.elementId]: "Leeds",
      [drinks.elementId]: [tea!.id, coffee!.id],
      [table.elementId]: { [table.rows![0]!.id]: table.columns![0]!.id },
      [names.elementId]: { [names.rows![0]!.id]: "Ada" },
    });
    expect(opened.troubles).toEqual([]);
  },
);
