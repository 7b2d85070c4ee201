import { openBrowser, openContext, openPage, phone, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const several = questionsOf({
  type: "multiple_choice",
  text: "Drinks",
  multipleAnswers: true,
  choices: [
    { text: "Tea", freeText: true },
    { text: "Juice", freeText: true },
    "Water",
    { text: "Nothing", exclusive: true, pinned: true },
  ],
  typeSettings: { minSelections: 2, maxSelections: 2, shuffle: true, other: { enabled: true } },
});
const pictures = questionsOf({
  type: "image_choice",
  text: "Cups",
  multipleAnswers: true,
  choices: ["Small", "Large", { text: "No cup", exclusive: true }],
  typeSettings: { minSelections: 0 },
});
const single = questionsOf({
  type: "multiple_choice",
  text: "Place",
  choices: ["Here", { text: "Elsewhere", freeText: true }],
});
const [drinks, cups, place] = [several[0]!, pictures[0]!, single[0]!];
const rows = Array.from({ length: 8 }, (_, index) => ({ text: `Row ${index}`, pinned: index === 0 }));
const shuffled = () => ({
  pages: [
    pageOf(
      questionsOf(...["A", "B", "C", "D", "E", "F"].map((text) => ({ type: "short_text", text })), {
        type: "matrix",
        text: "M",
        rows,
        columns: ["x", "y"],
        typeSettings: { shuffleRows: true },
      }),
      { title: "One", shuffle: true },
    ),
    pageOf(questionsOf({ type: "short_text", text: "Name" }), { title: "Two" }),
  ],
});

const widths = [
  ["phone", phone],
  ["desktop", { viewport: { width: 1280, height: 1000 } }],
] as const;

describe("marked choices", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    const asked = () => ({
      definition: {
        pages: [
          pageOf([drinks, cups, place], { title: "One" }),
          pageOf(questionsOf({ type: "short_text", text: "Name" }), { title: "Two" }),
        ],
      },
    });
    stand = await startStandIn({ phone: asked(), desktop: asked(), order: { definition: shuffled() } });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const choice = (page: Page, text: string) => page.getByRole("checkbox", { name: text, exact: true });

  test.each(widths)("go alone, take texts, and may all be left out, by keyboard, on a %s", async (code, options) => {
    await using opened = await openContext(browser, options);
    const page = await openPage(opened.context, stand.url(code));
    await page.getByRole("heading", { name: "Drinks" }).waitFor();
    const textOf = (choice: string) => page.getByRole("textbox", { name: choice, exact: true });
    const press = async (text: string) => {
      await choice(page, text).focus();
      await page.keyboard.press("Space");
    };
    await press("Water");
    await press("Tea");
    // No more may be chosen, but one that goes alone takes the place of both.
    expect([await choice(page, "Juice").isDisabled(), await choice(page, "Nothing").isDisabled()]).toEqual([
      true,
      false,
    ]);
    await press("Nothing");
    expect(await choice(page, "Juice").isDisabled()).toBe(false);
    expect(await page.locator("input:checked").count()).toBe(1);
    await press("No cup");
    await press("Small");
    expect(await choice(page, "No cup").isChecked()).toBe(false);
    await press("No cup");
    expect(await choice(page, "Small").isChecked()).toBe(false);
    await press("No cup");
    await press("Tea");
    expect(await choice(page, "Nothing").isChecked()).toBe(false);
    await textOf("Tea").fill("green");
    await press("Juice");
    await textOf("Juice").fill("apple");
    await page.getByRole("radio", { name: "Elsewhere" }).focus();
    await page.keyboard.press("Space");
    await textOf("Elsewhere").fill("Oslo");
    expect(await seriousFindings(page)).toEqual([]);
    if (process.env["SHOTS"])
      await page.screenshot({ path: `${process.env["SHOTS"]}/marked-${code}.png`, fullPage: true });
    await goOn(page);
    await page.getByRole("heading", { name: "Two", exact: true }).waitFor();
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
    const [respondent] = [...stand.respondents.values()].filter((each) => each.code === code);
    const withText = (at: number, otherText: string) => ({ choiceId: drinks.choices![at]!.id, otherText });
    const given = respondent!.answers;
    expect(given.get(drinks.elementId)).toEqual(expect.arrayContaining([withText(0, "green"), withText(1, "apple")]));
    expect(given.get(cups.elementId)).toEqual([]);
    expect(given.get(place.elementId)).toEqual({ choiceId: place.choices![1]!.id, otherText: "Oslo" });
    await page.reload();
    await page.getByRole("heading", { name: "Two", exact: true }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Drinks" }).waitFor();
    expect(await textOf("Tea").inputValue()).toBe("green");
    expect(await textOf("Elsewhere").inputValue()).toBe("Oslo");
  });

  test("elements and rows are shown in the respondent's order, also after a reload; pinned ones stay", async () => {
    const orders = new Set<string>();
    for (let person = 0; person < 3; person += 1) {
      await using opened = await openContext(browser);
      const page = await openPage(opened.context, stand.url("order"));
      await page.getByText("Row 0").first().waitFor();
      const order = async () => (await page.locator("h3, tbody tr").allInnerTexts()).map((text) => text.trim());
      const first = await order();
      expect(first.filter((text) => text.startsWith("Row"))[0]).toContain("Row 0");
      await page.reload();
      await page.getByText("Row 0").first().waitFor();
      expect(await order()).toEqual(first);
      orders.add(first.join());
    }
    expect(orders.size).toBeGreaterThan(1);
  });
});
