import { openBrowser, openContext, openPage, phone, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitForFocus, goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const ask = (required: boolean) => [
  {
    type: "multiple_choice",
    text: "Religion",
    required,
    choices: ["A", "B"],
    typeSettings: { other: { enabled: true } },
  },
  { type: "yes_no", text: "Ill?", required },
  { type: "image_choice", text: "Cup", required, choices: ["small", "large"].map((text) => ({ text })) },
  { type: "rating", text: "Stars", required },
  { type: "nps", text: "-", subject: "us", required },
  { type: "matrix", text: "Rate these", required, rows: ["Taste", "Price"], columns: ["Poor", "Good"] },
];
const titles = ["One", "Two"];
const definition = (required: boolean) => ({
  pages: [
    pageOf(questionsOf(...ask(required)), { title: "One" }),
    pageOf(questionsOf({ type: "short_text", text: "Name" }), { title: "Two" }),
  ],
});

const shuffled = () => {
  const choices = Array.from({ length: 9 }, (_, index) => `c${index}`);
  const questions = ["multiple_choice", "dropdown", "ranking"].map((type) => ({
    type,
    text: type,
    choices,
    typeSettings: { shuffle: true },
  }));
  return { pages: titles.map((title) => pageOf(questionsOf(...questions), { title })) };
};

describe("choices", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    stand = await startStandIn({
      optional: { definition: definition(false) },
      keys: { definition: definition(false) },
      required: { definition: definition(true) },
      advance: {
        definition: { pages: titles.map((title) => pageOf(questionsOf(ask(false)[1]!), { title })) },
        settings: { navigation: { autoAdvance: true, showPrevious: true } },
      },
      personal: { definition: shuffled(), isPersonal: true },
      shuffled: { definition: shuffled(), settings: { navigation: { showPrevious: true } } },
    });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  /** Waits until the page with this title is drawn with its questions. */
  const at = async (page: Page, title: string) => {
    await page.getByRole("heading", { name: title, exact: true }).waitFor();
    await page.locator("input").first().waitFor({ state: "attached" });
  };
  const saved = (page: Page) => page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
  const press = (page: Page, text: string) => page.getByText(text, { exact: true }).click();
  const chosen = (page: Page) => page.locator("input[type=radio]:checked").count();
  const answers = (code: string) =>
    [...stand.respondents.values()].filter((each) => each.code === code).map((each) => [...each.answers.values()]);
  const clearOf = (page: Page, title: string) => page.getByRole("button", { name: `Clear answer: ${title}` });

  /** Chooses once in each question, in the matrix in both rows. */
  async function choose(page: Page): Promise<void> {
    await at(page, "One");
    const radios = page.locator("input[type=radio]");
    const names = new Set(await radios.evaluateAll((all) => all.map((each) => (each as HTMLInputElement).name)));
    for (const name of names) await page.locator(`input[name="${name}"]`).first().click({ force: true });
    expect(await chosen(page)).toBe(7);
  }

  test.each([
    ["desktop", {}],
    ["phone", phone],
  ] as const)("are taken back by a button below each question, on a %s", async (width, options) => {
    await using opened = await openContext(browser, options);
    const page = await openPage(opened.context, stand.url("optional"));
    await at(page, "One");
    expect(await page.getByRole("button", { name: /Clear answer/ }).count()).toBe(0);
    await choose(page);
    expect(await seriousFindings(page)).toEqual([]);
    if (process.env["SHOTS"])
      await page.screenshot({ path: `${process.env["SHOTS"]}/clear-${width}.png`, fullPage: true });
    for (const title of ["Religion", "Ill?", "Cup", "Stars", "How likely", "Rate these"]) {
      await clearOf(page, title).click();
      await page.getByRole("status").filter({ hasText: "The answer was cleared." }).waitFor({ state: "attached" });
      await clearOf(page, title).waitFor({ state: "hidden" });
    }
    expect(await chosen(page)).toBe(0);
    await goOn(page);
    await at(page, "Two");
    await page.reload();
    await at(page, "Two");
    await page.goBack();
    await at(page, "One");
    expect(await chosen(page)).toBe(0);
  });

  test("can be retracted after they were saved", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("keys"));
    await choose(page);
    await goOn(page);
    await saved(page);
    expect(answers("keys")[0]).toHaveLength(6);
    await page.goBack();
    await at(page, "One");
    // By keys alone: Delete where the focus is, and the button, which gives the focus back to its question.
    for (const at of [0, 3, 4]) {
      await page.locator("input[type=radio]:checked").nth(at).focus();
      await page.keyboard.press("Delete");
    }
    await expect.poll(() => chosen(page)).toBe(4);
    await clearOf(page, "Cup").focus();
    await page.keyboard.press("Enter");
    await waitForFocus(page, page.locator("input[type=radio]").nth(5));
    await goOn(page);
    await at(page, "Two");
    await expect.poll(() => answers("keys")[0]!.length).toBe(3);
  });

  test("can be retracted by a second press, in a matrix for its row, but not by a double click", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("optional"));
    await choose(page);
    const row = page.locator("tr", { hasText: "Price" }).locator("input").first();
    await row.click({ force: true });
    expect(await chosen(page)).toBe(6);
    for (const name of ["A", "Yes"]) await press(page, name);
    expect(await chosen(page)).toBe(4);
    await page.getByText("B", { exact: true }).dblclick();
    await page.getByText("No", { exact: true }).dblclick();
    await page.locator("label:has(input[type=radio])").nth(9).dblclick();
    expect(await chosen(page)).toBe(6);
  });

  test("stay where an answer is required", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("required"));
    await choose(page);
    for (const radio of await page.locator("input[type=radio]:checked").all()) {
      await radio.click({ force: true });
      await page.keyboard.press("Delete");
    }
    expect(await chosen(page)).toBe(7);
    expect(await page.getByRole("button", { name: /Clear answer/ }).count()).toBe(0);
  });

  test("do not open the next page when they are retracted", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("advance"));
    await at(page, "One");
    await press(page, "Yes");
    await at(page, "Two");
    await page.getByRole("button", { name: "Back" }).click();
    await at(page, "One");
    await press(page, "Yes");
    expect(await chosen(page)).toBe(0);
    await press(page, "No");
    await at(page, "Two");
  });

  test("keep their order on each page over a reload, a save and the way back", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("shuffled"));
    const order = (of: Page) =>
      of.locator(".sd-selectbase, .sd-ranking, .sv-ranking").evaluateAll((all) => all.map((each) => each.textContent));
    await at(page, "One");
    const first = await order(page);
    expect(first.length).toBeGreaterThan(1);
    await page.reload();
    await at(page, "One");
    expect(await order(page)).toEqual(first);
    await page.getByText("c3", { exact: true }).first().click();
    await goOn(page);
    await at(page, "Two");
    await saved(page);
    const second = await order(page);
    await page.reload();
    await at(page, "Two");
    expect(await order(page)).toEqual(second);
    await page.goBack();
    await at(page, "One");
    expect(await order(page)).toEqual(first);
  });

  test("have one order on all devices of a personal link, before and after the start", async () => {
    const order = async (page: Page) => (await page.locator(".sd-selectbase").allInnerTexts()).join();
    const open = async () => {
      const opened = await openContext(browser);
      return { opened, page: await openPage(opened.context, stand.url("personal")) };
    };
    const first = await open();
    await using _first = first.opened;
    await at(first.page, "One");
    const second = await open();
    await using _second = second.opened;
    await at(second.page, "One");
    expect(await order(second.page)).toBe(await order(first.page));
    await goOn(second.page);
    await at(second.page, "Two");
    await saved(second.page);
    // Who has begun goes on where the other device was.
    const third = await open();
    await using _third = third.opened;
    await at(third.page, "Two");
    expect(await order(third.page)).toBe(await order(second.page));
  });

  test("have other orders for other respondents", async () => {
    const orders = new Set<string>();
    for (let respondent = 0; respondent < 3; respondent += 1) {
      await using opened = await openContext(browser);
      const page = await openPage(opened.context, stand.url("shuffled"));
      await at(page, "One");
      orders.add((await page.locator(".sd-selectbase").allInnerTexts()).join());
    }
    expect(orders.size).toBeGreaterThan(1);
  });
});
