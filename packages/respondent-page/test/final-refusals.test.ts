import { openBrowser, openContext, openPage } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

describe("a final refusal of the server", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    const pages = () =>
      ["One", "Two", "Three"].map((title) => pageOf(questionsOf({ type: "short_text", text: `${title}?` }), { title }));
    const codes = ["saving", "opening", "deleted", "erased"];
    stand = await startStandIn(Object.fromEntries(codes.map((code) => [code, { definition: { pages: pages() } }])));
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const field = (page: Page) => page.locator("main").getByRole("textbox").first();
  const at = (page: Page, title: string) => page.getByRole("heading", { name: title, exact: true }).waitFor();
  const saved = (page: Page) => page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
  const respondents = (code: string) => [...stand.respondents.values()].filter((each) => each.code === code);
  const answers = (code: string) => respondents(code).map((each) => [...each.answers.values()]);

  async function answerOne(page: Page): Promise<void> {
    await at(page, "One");
    await field(page).fill("first");
    await goOn(page);
    await at(page, "Two");
    await saved(page);
  }

  test("that is retracted a moment later ends nothing while answers are sent", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("saving"));
    await answerOne(page);
    await field(page).fill("second");
    stand.state.gone = 1;
    await goOn(page);
    await at(page, "Three");
    await field(page).fill("third");
    await goOn(page);
    await page.getByText("Thank you!").waitFor();
    expect(answers("saving")).toEqual([["first", "second", "third"]]);
  });

  test("that is retracted a moment later ends nothing while the page is opened", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("opening"));
    await answerOne(page);
    await field(page).fill("half");
    stand.state.gone = 1;
    await page.reload();
    await at(page, "Two");
    expect(await field(page).inputValue()).toBe("half");
    await goOn(page);
    await at(page, "Three");
    await saved(page);
    expect(answers("opening")).toEqual([["first", "half"]]);
  });

  test("because a link is gone leaves session and unsent answers on the device", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("deleted"));
    await answerOne(page);
    await field(page).fill("second");
    stand.state.gone = 1_000;
    await goOn(page);
    await page.getByRole("alert").filter({ hasText: "Your answers are kept on this device." }).waitFor();
    stand.state.gone = 0;
    await page.reload();
    await at(page, "Three");
    await saved(page);
    expect(answers("deleted")).toEqual([["first", "second"]]);
  });

  test("because a respondent is erased starts over with the answers that were never sent", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("erased"));
    await answerOne(page);
    await field(page).fill("second");
    stand.respondents.delete(respondents("erased")[0]!.id);
    await goOn(page);
    await at(page, "One");
    expect(await field(page).inputValue()).toBe("");
    await goOn(page);
    await at(page, "Two");
    expect(await field(page).inputValue()).toBe("second");
  });
});
