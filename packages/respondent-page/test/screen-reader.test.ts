import { openBrowser, openContext, openPage, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitForFocus, goOn, press } from "./page-actions.ts";
import { allRequired, pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

/** Types that are drawn in another way with several answers. */
const severalAnswers = [
  {
    type: "image_choice",
    text: "Which cups do you have?",
    multipleAnswers: true,
    choices: ["small", "large"],
    typeSettings: { other: { enabled: true, label: "Another cup" } },
  },
  { type: "matrix", text: "When?", rows: ["Weekdays"], columns: ["Early", "Late"], typeSettings: { multiple: true } },
];
const dragged = { type: "ranking", text: "In which order?", required: true, choices: ["First", "Middle", "Last"] };
const chosen = { type: "ranking", text: "Which two?", choices: ["Tea", "Cake"], typeSettings: { rankAll: false } };

describe("a screen reader", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    stand = await startStandIn({
      all: {
        definition: allRequired(...questionsOf(...severalAnswers)),
        settings: { locale: { languages: ["de"], showSwitch: true } },
      },
      dragged: { definition: { pages: [pageOf(questionsOf(dragged))] } },
      chosen: { definition: { pages: [pageOf(questionsOf(chosen))] }, language: "de" },
    });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const option = (page: Page, name: string) => page.getByRole("option", { name, exact: true });

  test("reads a ranking as a list of numbers and texts, and before it is ranked the keys that move its entries", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("all"));
    await page.getByRole("listbox", { name: "What matters most?" }).waitFor();
    const taste = option(page, "Taste, without a place yet: the up and down keys move it");
    expect(await seriousFindings(page)).toEqual([]);
    await taste.focus();
    await page.keyboard.press("ArrowDown");
    for (const name of ["1 Price", "2 Taste", "3 Speed"]) await option(page, name).waitFor();
    await waitForFocus(page, option(page, "2 Taste"));
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

  /** Returns the marked titles for which no control or group is read as required, by its state or by its name. */
  async function notRequired(page: Page, required = "required"): Promise<string[]> {
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    await session.detach();
    const read = nodes
      .filter(({ role }) => role?.value !== "heading")
      .map(({ name, properties = [] }) => ({
        name: String(name?.value).replaceAll(/\s+/g, " ").trim(),
        isRequired: properties.some(({ name, value }) => name === "required" && value.value === true),
      }));
    const titles = await page.locator("h3:has([data-key=req-text]) .sv-string-viewer").allInnerTexts();
    expect(titles.length).toBeGreaterThan(20);
    return titles.filter(
      (title) =>
        !read.some(({ name, isRequired }) => name === `${title} ${required}` || (name === title && isRequired)),
    );
  }
  /** Counts groups with states that WAI-ARIA 1.2 does not allow on groups. */
  const statesOfGroups = (page: Page) => page.locator("[role=group]:is([aria-required], [aria-invalid])").count();
  const invalidBoxes = (page: Page) =>
    page
      .locator("input[type=checkbox]")
      .evaluateAll((boxes) => boxes.map((box) => box.getAttribute("aria-invalid") === "true"));

  test("reads of each question that it is required, also after answers, violations and in another language", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("all"));
    await page.locator("nav .main").waitFor();
    expect([await notRequired(page), await statesOfGroups(page)]).toEqual([[], 0]);
    await page.getByRole("table", { name: "When do you come?" }).waitFor();
    expect(await invalidBoxes(page)).not.toContain(true);

    await goOn(page);
    await page.locator("#problems").waitFor();
    expect([await notRequired(page), await statesOfGroups(page)]).toEqual([[], 0]);
    expect(await invalidBoxes(page)).not.toContain(false);
    await option(page, "Taste, without a place yet: the up and down keys move it").waitFor();

    await page.getByText("Cake", { exact: true }).click();
    await press(page, page.getByRole("checkbox", { name: "Another cup" }));
    await page.getByRole("textbox", { name: "Another cup" }).fill("Blue");
    await press(page, page.getByRole("checkbox", { name: "row Weekdays, column Early" }));
    await page.getByText("I agree that my answers").click();
    await page.getByRole("textbox", { name: "Taste" }).fill("5");
    await page.getByText("5 of 100 given.").waitFor();
    await page.locator(".sd-question:not(.sd-question--has-error)", { hasText: "What did you buy?" }).waitFor();
    expect(await invalidBoxes(page)).not.toContain(true);
    expect([await notRequired(page), await statesOfGroups(page)]).toEqual([[], 0]);
    expect(await seriousFindings(page)).toEqual([]);

    await page.getByRole("combobox", { name: "Language" }).selectOption("de");
    await page.getByRole("button", { name: "Absenden" }).waitFor();
    expect([await notRequired(page, "erforderlich"), await statesOfGroups(page)]).toEqual([[], 0]);
  });

  test("reads the places of a ranking that was dragged", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("dragged"));
    const middleOf = async (name: string) => {
      const { x, y, width, height } = (await option(page, `${name}${hint}`).boundingBox())!;
      return [x + width / 2, y + height / 2] as const;
    };
    const hint = ", without a place yet: the up and down keys move it";
    const [first, last] = [await middleOf("First"), await middleOf("Last")];
    await page.mouse.move(...first);
    await page.mouse.down();
    await page.mouse.move(...last, { steps: 10 });
    await page.mouse.up();
    for (const name of ["1 Middle", "2 Last", "3 First"]) await option(page, name).waitFor();
    const list = page.getByRole("listbox", { name: "In which order?" });
    expect(await list.getAttribute("aria-required")).toBe("true");
  });

  test("reads no text fields and no invalid states where there are none", async () => {
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
