import { findQuestionType } from "@canvass/questions";
import { openBrowser, openContext, openPage, phone, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { everyType } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

describe("a survey with every type", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    stand = await startStandIn({
      light: { name: "The coffee house", definition: everyType() },
      dark: { definition: everyType(), settings: { display: { theme: "dark", primaryColor: "#203040" } } },
    });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  test.each([
    ["light", "desktop", { viewport: { width: 1280, height: 1000 } }],
    ["dark", "phone", phone],
  ] as const)("is answered in %s at the width of a %s", async (code, _width, options) => {
    await using opened = await openContext(browser, options);
    const page = await openPage(opened.context, stand.url(code));
    const answered = [aboutYou, lastVisit, ratings, details, numbers, atTheEnd];
    for (const [index, answer] of answered.entries()) {
      await page.locator(`main[aria-label="Page ${index + 1} of ${answered.length}"]`).waitFor();
      expect(await seriousFindings(page), `page ${index + 1}`).toEqual([]);
      expect(await overflow(page), `page ${index + 1}`).toBe(0);
      await answer(page);
      await goOn(page);
    }
    await page.getByText("Thank you!").waitFor();
    expect(opened.troubles).toEqual([]);
    const all = [...stand.respondents.values()].filter((respondent) => respondent.code === code);
    expect(all.map(({ status }) => status)).toEqual(["completed"]);
    expect(typesOf(stand.surveys[code]!.definition, all[0]!.answers)).toEqual(expectedTypes);
  });
});

const expectedTypes =
  `short_text contact_info form yes_no multiple_choice dropdown image_choice rating rating rating nps slider
  matrix dropdown_matrix ranking constant_sum number date_time date_time date_time long_text file_upload consent`.split(
    /\s+/,
  );

function typesOf({ pages }: ReturnType<typeof everyType>, answers: ReadonlyMap<string, unknown>): string[] {
  const elements = pages.flatMap(({ elements }) => elements);
  return elements
    .filter(({ elementId }) => answers.has(elementId))
    .map((each) => findQuestionType(each.type)!.typeName);
}

const overflow = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));

const question = (page: Page, text: string) =>
  page.locator(".sd-question, .sd-panel").filter({ has: page.locator(`h3:has-text("${text}")`) });
const radio = (page: Page, text: string, index: number) =>
  question(page, text).locator("input[type=radio]").nth(index).locator("xpath=..").click();

async function aboutYou(page: Page): Promise<void> {
  await question(page, "What should we call you?").getByRole("textbox").fill("Ann");
  await page.getByLabel("E-mail").fill("ann@example.com");
  await page.getByLabel("Town").fill("Graz");
  await page.getByLabel("Minutes on the way").fill("12.5");
}

async function lastVisit(page: Page): Promise<void> {
  await radio(page, "Did you find", 0);
  await page.getByText("Cake", { exact: true }).click();
  await page.getByText("Other", { exact: true }).click();
  await question(page, "What did you buy?").locator("textarea").fill("A spoon");
  await choose(page, question(page, "Which shop").locator(".sd-dropdown").first(), "Harbour");
  await page.getByText("medium", { exact: true }).click();
}

async function choose(page: Page, dropdown: ReturnType<Page["locator"]>, option: string): Promise<void> {
  await dropdown.click();
  await page.locator(".sv-list__item:visible", { hasText: option }).click();
}

async function ratings(page: Page): Promise<void> {
  for (const text of ["How was the coffee?", "And the cake?", "And the mood?"]) await radio(page, text, 3);
  await radio(page, "How likely", 9);
  await question(page, "How loud").locator("input[type=range]").first().focus();
  await page.keyboard.press("ArrowRight");
}

async function details(page: Page): Promise<void> {
  await radio(page, "How do you rate these?", 2);
  await choose(page, question(page, "When do you come?").locator(".sd-dropdown").first(), "Noon");
  await question(page, "What matters most?").locator(".sv-ranking-item").first().focus();
  await page.keyboard.press("ArrowDown");
  for (const [index, amount] of ["50", "30", "20"].entries())
    await question(page, "Spread 100 points").locator("input").nth(index).fill(amount);
  await page.getByText("100 of 100 given.").waitFor();
}

async function numbers(page: Page): Promise<void> {
  await question(page, "How many cups").locator("input").fill("2.5");
  await question(page, "When were you here last?").locator("input").fill("2026-01-31");
  await question(page, "At what time?").locator("input").fill("17:30");
  await question(page, "When will you come again?").locator("input").fill("2026-12-31T17:30");
}

async function atTheEnd(page: Page): Promise<void> {
  await question(page, "Anything else?").getByRole("textbox").fill("All good.");
  const files = question(page, "A picture of your cup");
  await files
    .locator("input[type=file]")
    .setInputFiles({ name: "cup.png", mimeType: "image/png", buffer: Buffer.from("cup") });
  await files.getByRole("button", { name: "Remove cup.png" }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByText("I agree that my answers").click();
}
