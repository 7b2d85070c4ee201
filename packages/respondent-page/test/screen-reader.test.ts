import { openBrowser, openContext, openPage, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { focus } from "./page-actions.ts";
import { everyType, pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

/** All questions of all types on one page, each required. */
function allRequired() {
  const elements = everyType().pages.flatMap((page) => page.elements);
  const required = elements.map((each) => ({
    ...each,
    responseValidation: { ...each.responseValidation, required: true },
  }));
  return { pages: [pageOf(required)] };
}

const chosen = { type: "ranking", text: "Which two?", choices: ["Tea", "Cake"], typeSettings: { rankAll: false } };

describe("a screen reader", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    stand = await startStandIn({
      all: { definition: allRequired() },
      chosen: { definition: { pages: [pageOf(questionsOf(chosen))] }, language: "de" },
    });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const option = (page: Page, name: string) => page.getByRole("option", { name, exact: true });

  test("reads a ranking as a list of numbers and texts, and before of the keys that move its entries", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("all"));
    await page.getByRole("listbox", { name: "What matters most?" }).waitFor();
    const taste = option(page, "Taste, without a place yet: the up and down keys move it");
    expect(await seriousFindings(page)).toEqual([]);
    await taste.focus();
    await page.keyboard.press("ArrowDown");
    for (const name of ["1 Price", "2 Taste", "3 Speed"]) await option(page, name).waitFor();
    await focus(page, option(page, "2 Taste"));
    expect(await seriousFindings(page)).toEqual([]);
  });

  test("reads which entries a ranking has taken, in the survey's language", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("chosen"));
    const hint = ", noch ohne Platz: die Leertaste gibt einen";
    await option(page, `Cake${hint}`).focus();
    await page.keyboard.press("Space");
    await option(page, "1 Cake").waitFor();
    await option(page, `Tea${hint}`).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  test("hears of no text fields and no faults where there are none", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("all"));
    for (const name of ["How loud was it?", "A picture of your cup"]) {
      await page.getByRole("group", { name }).waitFor();
      expect(await page.getByRole("textbox", { name }).count()).toBe(0);
    }
    const session = await opened.context.newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    const invalid = nodes.filter(({ properties = [] }) =>
      properties.some(({ name, value }) => name === "invalid" && value.value !== "false"),
    );
    expect(invalid.map(({ name }) => name?.value as string)).toEqual([]);
    const pictures = page.getByRole("radiogroup", { name: "Which cup do you prefer?" });
    expect(await pictures.getAttribute("aria-required")).toBe("true");
  });
});
