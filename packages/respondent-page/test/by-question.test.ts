import type { Question, SurveyDefinition } from "@canvass/questions";
import { openBrowser, openContext, openPage, phone, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitForFocus, goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const display = { flow: "question", progressStyle: "steps" };
const locale = { languages: ["ar", "de"], showSwitch: true };
const message = "The end must be greater than the beginning.";

/** Two pages of questions that depend on each other, and a loop over drinks between them. */
function survey(): SurveyDefinition {
  const [name, drinks, tea, taste, beginning, end, remark] = questionsOf(
    { type: "short_text", text: "Your name", required: true },
    { type: "multiple_choice", text: "Drinks", multipleAnswers: true, choices: ["Tea", "Water"] },
    { type: "short_text", text: "Which tea?", required: true },
    { type: "rating", text: "Its taste" },
    { type: "number", text: "Beginning" },
    { type: "number", text: "End" },
    { type: "long_text", text: "Remark" },
  ) as [Question, Question, Question, Question, Question, Question, Question];
  const hasTea = { elementId: drinks.elementId, operator: "contains" as const, value: drinks.choices![0]!.id };
  tea.logic = { showIf: hasTea };
  const must = { elementId: end.elementId, operator: "greater_than" as const, answerOf: beginning.elementId };
  end.logic = { constraints: [{ must, message }] };
  return {
    pages: [
      pageOf([name, drinks, tea], { title: "Lunch" }),
      pageOf([taste], { title: "Taste", loop: { elementId: drinks.elementId } }),
      pageOf([beginning, end, remark], { title: "Times" }),
    ],
  };
}

let browser: Browser;
let stand: StandIn;
beforeAll(async () => {
  browser = await openBrowser();
  const settings = { display, locale };
  stand = await startStandIn({
    keys: { definition: survey(), settings },
    reload: { definition: survey(), settings },
    devices: { definition: survey(), settings, isPersonal: true },
    constraint: { definition: survey(), settings },
    press: { definition: survey(), settings: { display, navigation: { autoAdvance: true } } },
    arabic: { definition: survey(), language: "ar", settings },
  });
});
afterAll(async () => {
  await stand?.[Symbol.asyncDispose]();
});

const asked = (page: Page, text: string | RegExp) => page.locator("main h3", { hasText: text }).waitFor();
const field = (page: Page) => page.locator("main").getByRole("textbox").first();
const questionCount = (page: Page) => page.locator("main h3").count();
const respondentOf = (code: string) => [...stand.respondents.values()].find((each) => each.code === code);
const valuesOf = (code: string) => [...(respondentOf(code)?.answers.values() ?? [])];
const pageIdsOf = (code: string) => stand.surveys[code]!.definition.pages.map(({ pageId }) => pageId);

describe("one question at a time", () => {
  test.each([
    ["desktop", { viewport: { width: 1280, height: 900 } }],
    ["narrow", { viewport: { width: 375, height: 800 } }],
  ])("is answered with the keyboard alone (%s)", async (_, options) => {
    await using opened = await openContext(browser, options);
    const page = await openPage(opened.context, stand.url("keys"));
    await asked(page, "Your name");
    expect([await questionCount(page), await page.locator("main").getAttribute("aria-label")]).toEqual([
      1,
      "Step 1 of 5",
    ]);
    expect(await seriousFindings(page)).toEqual([]);
    await field(page).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Please answer this question.").waitFor();
    expect(await page.locator("#problems").count()).toBe(0);
    await waitForFocus(page, field(page));
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.type("Ann");
    expect(await page.getByText("Please answer this question.").count()).toBe(0);
    await page.keyboard.press("Enter");

    // The first field of each question takes the focus.
    await asked(page, "Drinks");
    await waitForFocus(page, page.getByRole("checkbox", { name: "Tea" }));
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await asked(page, "Which tea?");
    await waitForFocus(page, field(page));
    await page.keyboard.type("Green");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Taste – Tea" }).waitFor();
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await asked(page, "Beginning");
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.type("1");
    await page.keyboard.press("Enter");
    await asked(page, "End");
    await waitForFocus(page, field(page));
    await page.keyboard.type("2");
    await page.keyboard.press("Enter");
    await asked(page, "Remark");
    await waitForFocus(page, field(page));
    await page.keyboard.type("One");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Two");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Thank you!").waitFor();
    expect(valuesOf("keys")).toEqual(expect.arrayContaining(["Ann", "Green", 1, 2, "One\nTwo"]));
    expect(respondentOf("keys")!.status).toBe("completed");
    expect(opened.troubles).toEqual([]);
    stand.respondents.clear();
  });

  test("saves each answer, saves the page when it is left, and continues after a reload and back through the history", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("reload"));
    await asked(page, "Your name");
    await field(page).fill("Bo");
    await goOn(page);
    await asked(page, "Drinks");
    await expect.poll(() => valuesOf("reload")).toEqual(["Bo"]);
    expect(respondentOf("reload")!.pageId).toBeNull();
    await page.reload();
    await asked(page, "Drinks");
    await page.getByLabel("Language").selectOption("de");
    await page.getByRole("button", { name: "Weiter" }).waitFor();
    await asked(page, "Drinks");
    await waitForFocus(page, page.locator(".languages select"));
    await page.getByText("Water", { exact: true }).click();
    await goOn(page);
    // The page is left: its last question is not shown.
    await page.getByRole("heading", { name: "Taste – Water" }).waitFor();
    await expect.poll(() => respondentOf("reload")!.pageId).toBe(pageIdsOf("reload")[0]);
    await page.goBack();
    await asked(page, "Drinks");
    await page.getByText("Tea", { exact: true }).click();
    await goOn(page);
    await asked(page, "Which tea?");
    await page.getByRole("button", { name: "Zurück" }).click();
    await asked(page, "Drinks");
    await page.goBack();
    await asked(page, "Your name");
    expect(await field(page).inputValue()).toBe("Bo");
    expect(opened.troubles).toEqual([]);
  });

  test("continues at the next question on another device, and shows that answers changed there", async () => {
    await using one = await openContext(browser);
    const first = await openPage(one.context, stand.url("devices"));
    await field(first).fill("Cy");
    await goOn(first);
    await asked(first, "Drinks");
    await expect.poll(() => valuesOf("devices")).toEqual(["Cy"]);
    await using two = await openContext(browser, phone);
    const second = await openPage(two.context, stand.url("devices"));
    await asked(second, "Drinks");
    await second.getByRole("button", { name: "Back" }).click();
    await asked(second, "Your name");
    expect(await field(second).inputValue()).toBe("Cy");
    await field(second).fill("Cyd");
    await goOn(second);
    await expect.poll(() => valuesOf("devices")).toEqual(["Cyd"]);
    await first.getByText("Water", { exact: true }).click();
    await goOn(first);
    await first.getByText("Your answers were changed on another device.").waitFor();
    for (let back = 0; back < 2; back++) await first.goBack();
    await asked(first, "Your name");
    expect(await field(first).inputValue()).toBe("Cyd");
  });

  test("does not send answers that contradict a later question of the page until they are corrected", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("constraint"));
    await field(page).fill("Di");
    await goOn(page);
    await asked(page, "Drinks");
    await goOn(page);
    await asked(page, "Beginning");
    await field(page).fill("1");
    await goOn(page);
    await asked(page, "End");
    await field(page).fill("5");
    await goOn(page);
    await asked(page, "Remark");
    for (let back = 0; back < 2; back++) await page.goBack();
    await asked(page, "Beginning");
    await field(page).fill("7");
    await goOn(page);
    await asked(page, "End");
    expect(valuesOf("constraint")).toEqual(["Di", 1, 5]);
    await goOn(page);
    await page.locator("main").getByText(message).waitFor();
    await field(page).fill("9");
    await goOn(page);
    await asked(page, "Remark");
    await goOn(page);
    await page.getByText("Thank you!").waitFor();
    expect(valuesOf("constraint")).toEqual(expect.arrayContaining(["Di", 7, 9]));
  });

  test("continues automatically where a press answers, without moving other questions", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("press"));
    await field(page).fill("Ed");
    await goOn(page);
    await page.getByText("Water", { exact: true }).click();
    await goOn(page);
    await page.getByRole("heading", { name: "Taste – Water" }).waitFor();
    await page.locator(".sd-rating label").nth(3).click();
    await asked(page, "Beginning");
    const shifted = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            const entries = list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[];
            for (const { value, hadRecentInput } of entries) if (!hadRecentInput) sum += value;
          }).observe({ type: "layout-shift", buffered: true });
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
        }),
    );
    expect(shifted).toBeLessThan(0.1);
  });

  test("reads from right to left", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("arabic"));
    await page.locator('main[aria-label="الخطوة 1 من 5"]').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await field(page).fill("Fa");
    await goOn(page);
    await asked(page, "Drinks");
    expect(await seriousFindings(page)).toEqual([]);
  });

  test("shows one question before the script runs", async () => {
    await using opened = await openContext(browser, { javaScriptEnabled: false });
    const page = await openPage(opened.context, stand.url("keys"));
    expect(await page.locator("main li").allInnerTexts()).toEqual(["Your name"]);
  });
});
