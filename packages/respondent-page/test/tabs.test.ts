import { openBrowser, openContext, openPage } from "@canvass/testing/browser";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const titles = ["One", "Two", "Three"];
const definition = () => ({
  pages: titles.map((title) =>
    pageOf(questionsOf({ type: "short_text", text: `${title}?`, required: title === "One" }), { title }),
  ),
});

/** Holds back what other tabs tell this one until `wake` is called, as in a tab that the browser has frozen. */
function freeze(): void {
  const listen = Reflect.get(BroadcastChannel.prototype, "addEventListener") as typeof addEventListener;
  const held: (() => void)[] = [];
  let isAwake = false;
  function addEventListener(this: BroadcastChannel, name: string, hear: (event: Event) => void): void {
    listen.call(this, name, (event) => {
      if (isAwake) hear(event);
      else held.push(() => hear(event));
    });
  }
  Object.assign(BroadcastChannel.prototype, { addEventListener });
  const wake = () => {
    isAwake = true;
    for (const tell of held) tell();
  };
  Object.assign(globalThis, { wake, heldBack: () => held.length });
}

describe("a link in two tabs", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    const codes = ["again", "frozen", "lost", "passed", "ends"];
    stand = await startStandIn({
      ...Object.fromEntries(codes.map((code) => [code, { definition: definition() }])),
      secret: { definition: definition(), password: "sesame" },
    });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const at = (page: Page, title: string) => page.getByRole("heading", { name: title, exact: true }).waitFor();
  const field = (page: Page) => page.locator("main").getByRole("textbox").first();
  const saved = (page: Page) => page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
  const thanks = (page: Page) => page.getByText("Thank you!").waitFor();
  const again = (page: Page) => page.getByRole("button", { name: "Answer again" }).click();
  const nudge = (page: Page) => page.evaluate(() => dispatchEvent(new Event("online")));
  const begun = (code: string) => [...stand.respondents.values()].filter((each) => each.code === code);
  const outcome = (code: string) => begun(code).map(({ status, answers }) => [status, ...answers.values()]);

  async function open(context: BrowserContext, code: string, query = ""): Promise<Page> {
    const page = await openPage(context, stand.url(code) + query);
    await page.locator("main input").first().waitFor();
    return page;
  }

  async function answer(page: Page, text: string): Promise<void> {
    await field(page).fill(text);
    await goOn(page);
    await at(page, "Two");
    await saved(page);
  }

  async function complete(page: Page): Promise<void> {
    await goOn(page);
    await at(page, "Three");
    await goOn(page);
    await thanks(page);
  }

  test("is answered again by one respondent where both tabs ask for that", async () => {
    await using opened = await openContext(browser);
    const [one, two] = [await open(opened.context, "again"), await open(opened.context, "again")];
    await answer(one, "Flo");
    await complete(one);
    await thanks(two);
    await again(one);
    await at(one, "One");
    await answer(one, "Gus");
    await again(two);
    await at(two, "Two");
    await complete(two);
    await thanks(one);
    expect(outcome("again")).toEqual([
      ["completed", "Flo"],
      ["completed", "Gus"],
    ]);
  });

  test("is not said to have saved what was typed in the tab that did not end it", async () => {
    await using opened = await openContext(browser);
    const [one, two] = [await open(opened.context, "ends"), await open(opened.context, "ends")];
    await answer(one, "Flo");
    await field(two).fill("typed too late");
    await complete(one);
    await one.getByText("Your answers have been saved.").waitFor();
    await two.getByText("You have answered this survey already.").waitFor();
    expect(outcome("ends")).toEqual([["completed", "Flo"]]);
  });

  test("has its second respondent in tabs that hear late that the first one has ended", async () => {
    await using opened = await openContext(browser);
    const openFrozen = async () => {
      const page = await opened.context.newPage();
      await page.addInitScript(freeze);
      await page.goto(stand.url("frozen"));
      await field(page).waitFor();
      return page;
    };
    const [one, early] = [await open(opened.context, "frozen"), await openFrozen()];
    await answer(one, "Flo");
    const late = await openFrozen();
    await at(late, "Two");
    await complete(one);
    await again(one);
    await at(one, "One");
    await answer(one, "Gus");
    // Each save is told: three of the first respondent, and one of the second.
    await expect.poll(() => early.evaluate("heldBack()")).toBe(4);
    await expect.poll(() => late.evaluate("heldBack()")).toBe(3);
    await late.locator("main").evaluate((drawn) => drawn.setAttribute("data-former", ""));
    for (const page of [early, late]) await page.evaluate("wake()");
    await expect.poll(() => field(early).inputValue()).toBe("Gus");
    await late.locator("main[data-former]").waitFor({ state: "detached" });
    await late.getByRole("button", { name: "Back" }).click();
    await expect.poll(() => field(late).inputValue()).toBe("Gus");
    await goOn(late);
    await at(late, "Two");
    await complete(late);
    await thanks(early);
    expect(outcome("frozen")).toEqual([
      ["completed", "Flo"],
      ["completed", "Gus"],
    ]);
  });

  test("is drawn anew in the tab that did not start over, so that the new respondent gets all answers", async () => {
    await using opened = await openContext(browser);
    const one = await open(opened.context, "lost");
    await answer(one, "Ida");
    const two = await open(opened.context, "lost");
    await at(two, "Two");
    begun("lost")[0]!.token = "another";
    await field(one).fill("from one");
    await goOn(one);
    await at(one, "One");
    await field(two).fill("from two");
    await two.locator("main").evaluate((drawn) => drawn.setAttribute("data-former", ""));
    await goOn(two);
    await two.locator("main[data-former]").waitFor({ state: "detached" });
    await at(two, "Three");
    await goOn(two);
    await thanks(two);
    expect(outcome("lost").map(([status, ...answers]) => [status, new Set(answers)])).toEqual([
      ["started", new Set(["Ida"])],
      ["completed", new Set(["Ida", "from two"])],
    ]);
  });

  test("says in each tab that answers are saved, also if the other one has sent them", async () => {
    await using opened = await openContext(browser);
    const [one, two] = [await open(opened.context, "passed"), await open(opened.context, "passed")];
    await two.route("**/answers", (route) => route.abort());
    await field(two).fill("Flo");
    await goOn(two);
    await two.getByText("No connection.").waitFor();
    await nudge(one);
    await expect.poll(() => outcome("passed")).toEqual([["started", "Flo"]]);
    await nudge(two);
    await saved(two);
    expect(begun("passed")).toHaveLength(1);
  });

  test("is opened by the password in a tab of another address, once the other one has begun", async () => {
    await using opened = await openContext(browser);
    const [one, two] = [await open(opened.context, "secret"), await open(opened.context, "secret", "?source=mail")];
    for (const page of [one, two]) {
      await page.getByLabel("Password").fill("sesame");
      await page.getByRole("button", { name: "Open the survey" }).click();
      await at(page, "One");
    }
    expect(begun("secret")).toHaveLength(1);
  });
});
