import { openBrowser, openContext, openPage, phone } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const limits = { min: 10, max: 5_000, decimals: 3 };

/** A number with limits, one that may be negative, and amounts, on a page that scrolls. */
const definition = () => ({
  pages: [
    pageOf(
      questionsOf(
        { type: "number", text: "Weight", typeSettings: limits },
        { type: "number", text: "Degrees", typeSettings: { min: -50 } },
        { type: "constant_sum", text: "Spread", choices: ["Rent", "Food"], typeSettings: { total: 3_000 } },
        ...Array.from({ length: 6 }, (_, index) => ({ type: "long_text", text: `Remark ${index}` })),
      ),
      { title: "One" },
    ),
    pageOf(questionsOf({ type: "short_text", text: "Name" }), { title: "Two" }),
  ],
});

describe("a typed number", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    stand = await startStandIn({
      wheel: { definition: definition() },
      ...Object.fromEntries(
        ["en", "de", "fr", "es", "ar"].map((language) => [language, { definition: definition(), language }]),
      ),
    });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const at = (page: Page, title: string) => page.getByRole("heading", { name: title, exact: true }).waitFor();
  const fields = (page: Page) => page.locator("main input");
  const answers = (code: string) =>
    [...stand.respondents.values()].filter((each) => each.code === code).map((each) => [...each.answers.values()]);

  test("does not change under the mouse wheel, and is parsed with either decimal mark in digits of any script", async () => {
    await using opened = await openContext(browser, { viewport: { width: 800, height: 500 }, locale: "en-US" });
    const page = await openPage(opened.context, stand.url("wheel"));
    await at(page, "One");
    const weight = fields(page).first();
    await weight.click();
    await page.keyboard.type("72,5");
    await weight.hover();
    const scrolled = () => page.evaluate(() => scrollY);
    const before = await scrolled();
    await page.mouse.wheel(0, 100);
    await expect.poll(scrolled).toBeGreaterThan(before);
    expect(await weight.inputValue()).toBe("72,5");
    expect(await fields(page).evaluateAll((all) => all.map((each) => (each as HTMLInputElement).inputMode))).toEqual([
      "decimal",
      "",
      "decimal",
      "decimal",
    ]);
    await fields(page).nth(1).fill("−٣٫٥");
    await fields(page).nth(2).fill("1 234,5");
    await fields(page).nth(3).fill("1.765,50");
    await page.getByText("3000 of 3000 given.").waitFor();
    await goOn(page);
    await at(page, "Two");
    await expect.poll(() => answers("wheel")).toMatchObject([[72.5, -3.5, expect.any(Object)]]);
    expect(Object.values(answers("wheel")[0]![2] as object)).toEqual([1234.5, 1765.5]);
  });

  test.each([
    ["en", "This number can be read in two ways. Please enter 1234 or 1,2340."],
    ["de", "Bitte geben Sie 1234 oder 1,2340 ein."],
    ["fr", "Veuillez saisir 1234 ou 1,2340."],
    ["es", "Escriba 1234 o 1,2340."],
    ["ar", "يرجى إدخال 1234 أو 1,2340."],
  ])("that may mean two things is asked for again in %s, and stays over a reload", async (code, text) => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url(code));
    await at(page, "One");
    await fields(page).first().fill("1,234");
    await fields(page).nth(2).fill("abc");
    await goOn(page);
    await page.locator("#problems").getByText(text).waitFor();
    await page
      .locator("#problems")
      .getByText(/^ ?Rent: .*1234/)
      .waitFor();
    if (process.env["SHOTS"]) await page.screenshot({ path: `${process.env["SHOTS"]}/number-${code}.png` });
    await page.reload();
    await at(page, "One");
    expect(await fields(page).first().inputValue()).toBe("1,234");
    await fields(page).first().fill("9");
    await fields(page).nth(2).fill("3000");
    await goOn(page);
    await page.locator("#problems").getByText(/10/).waitFor();
    await fields(page).first().fill("12,3400");
    await goOn(page);
    await at(page, "Two");
    await expect.poll(() => answers(code)).toMatchObject([[12.34, expect.any(Object)]]);
    await page.goBack();
    await page.reload();
    await at(page, "One");
    expect(await fields(page).first().inputValue()).toBe("12.34");
  });
});
