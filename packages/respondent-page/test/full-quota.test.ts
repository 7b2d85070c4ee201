import type { Quota } from "@canvass/questions";
import { openBrowser, openContext, openPage, phone } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const told = "We have heard from enough of you. Thank you.";
const full = "This survey has received all the answers it needs.";

/**
 * Three pages of one question each, and a full quota of who answers "m" on the page at `asked`. Its message may name the
 * first question.
 */
function survey(asked: number, { onFull, message }: Pick<Quota, "onFull" | "message">) {
  const inputs = ["One", "Two", "Three"].map((text) => ({ type: "short_text", text, required: true }));
  const pages = inputs.map((input) => pageOf(questionsOf(input), { title: `Page of ${input.text}` }));
  const { elementId } = pages[asked]!.elements[0]!;
  const when = { elementId, operator: "equals" as const, value: "m" };
  const told = message?.replace("{{One}}", `{{${pages[0]!.elements[0]!.elementId}}}`) ?? null;
  const quota = { quotaId: "quota00000000000", name: "men", when, limit: 1, onFull, message: told };
  return { definition: { pages, quotas: [quota] as Quota[] } };
}

describe("a respondent whose quota is full", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    stand = await startStandIn({
      early: survey(0, { onFull: "message", message: told }),
      last: survey(2, { onFull: "close", message: null }),
      ended: survey(1, { onFull: "end", message: "{{One}} is full." }),
      raised: survey(2, { onFull: "close", message: null }),
      changed: survey(0, { onFull: "close", message: null }),
    });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const on = (page: Page, text: string) =>
    page.getByRole("heading", { name: `Page of ${text}`, exact: true }).waitFor();
  const field = (page: Page) => page.locator("main").getByRole("textbox").first();
  const answers = (code: string) =>
    [...stand.respondents.values()].filter((each) => each.code === code).map((each) => [...each.answers.values()]);

  async function answer(page: Page, text: string, value: string): Promise<void> {
    await on(page, text);
    await field(page).fill(value);
    await goOn(page);
  }

  /** The notice stands alone and has the focus, so that a screen reader reads it. */
  async function ends(page: Page, text: string): Promise<void> {
    await page.getByText(text).waitFor();
    const heading = page.getByRole("heading", { level: 1 }).and(page.locator(":focus"));
    await heading.waitFor();
    expect(await page.locator(`#${await heading.getAttribute("aria-describedby")}`).innerText()).toContain(text);
    expect(await page.getByRole("textbox").count()).toBe(0);
  }

  test("is told so as soon as an earlier page decides it", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("early"));
    await answer(page, "One", "m");
    await ends(page, told);
    await page.reload();
    await ends(page, told);
    expect(answers("early")).toEqual([["m"]]);
  });

  test("is shown the message at the last page, which is not stored, and is not asked to correct it", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("last"));
    await answer(page, "One", "m");
    await answer(page, "Two", "m");
    await answer(page, "Three", "m");
    await ends(page, full);
    await page.reload();
    await ends(page, full);
    expect(answers("last")).toEqual([["m", "m"]]);
    // The unsent page completes as soon as there is room again.
    stand.surveys["last"]!.definition.quotas = [];
    await page.reload();
    await page.getByText("Thank you!").waitFor();
    expect(answers("last")).toEqual([["m", "m", "m"]]);
  });

  test("continues if an answer that was not sent yet leads out of it", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("changed"));
    // The server stores the first answer, but its response never arrives.
    let isLost = true;
    await page.route("**/answers", async (route) => {
      if (!isLost) return route.fallback();
      await route.fetch();
      return route.abort();
    });
    await answer(page, "One", "m");
    await on(page, "Two");
    await expect.poll(() => answers("changed")).toEqual([["m"]]);
    await page.goBack();
    await answer(page, "One", "f");
    await on(page, "Two");
    isLost = false;
    await page.reload();
    await on(page, "Two");
    await expect.poll(() => answers("changed")).toEqual([["f"]]);
    await answer(page, "Two", "m");
    await on(page, "Three");
  });

  test("is told so also after a reload where the quota ends respondents, and another one completes", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("ended"));
    await answer(page, "One", "m");
    await answer(page, "Two", "m");
    await ends(page, "m is full.");
    await page.reload();
    await ends(page, "m is full.");
    await using other = await openContext(browser, phone);
    const second = await openPage(other.context, stand.url("ended"));
    await answer(second, "One", "m");
    await answer(second, "Two", "f");
    await answer(second, "Three", "m");
    await second.getByText("Thank you!").waitFor();
    expect(answers("ended")).toEqual([
      ["m", "m"],
      ["m", "f", "m"],
    ]);
  });
});
