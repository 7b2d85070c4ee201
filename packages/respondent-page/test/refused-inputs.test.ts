import { openBrowser, openContext, openPage } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const text = (text: string, typeSettings: object = {}) => ({ type: "short_text", text, typeSettings });
const pages = (...titles: string[]) => titles.map((title) => pageOf(questionsOf(text(`${title}?`)), { title }));

/** Its second page asks for two numbers, of which the second may not be less. */
function ordered() {
  const [low, high] = questionsOf({ type: "number", text: "Low" }, { type: "number", text: "High" });
  const must = { elementId: high!.elementId, operator: "at_least" as const, answerOf: low!.elementId };
  const constraints = [{ must, message: "High is too low." }];
  return { pages: [...pages("One"), pageOf([low!, { ...high!, logic: { constraints } }], { title: "Two" })] };
}

const addresses = () => ({
  pages: [
    pageOf(
      questionsOf(
        text("Mail", { format: "email" }),
        text("Site", { format: "url" }),
        text("Phone", { format: "phone" }),
        { type: "form", text: "Yours", rows: [{ text: "Other mail", format: "email" }] },
        { type: "contact_info", text: "You" },
      ),
    ),
  ],
});

const withoutField: Record<string, unknown>[] = [
  { type: "image_choice", choices: ["Cup", "Mug"] },
  { type: "slider" },
  { type: "dropdown_matrix", rows: ["Tea"], columns: [{ text: "Size", options: ["small", "large"] }] },
  { type: "constant_sum", choices: ["Rent", "Food"] },
];

describe("an input that is not accepted", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    const [phone] = questionsOf(text("Phone", { format: "phone" }));
    const focused = withoutField.map((input, index) => {
      const definition = { pages: [pageOf(questionsOf({ ...input, text: "What?", required: true }))] };
      return [`focus${index}`, { definition, settings: { display: { flow: "question" } } }];
    });
    stand = await startStandIn({
      forward: { definition: { pages: [pageOf([phone!], { title: "One" }), ...pages("Two")] } },
      ordered: { definition: ordered() },
      addresses: { definition: addresses() },
      long: { definition: { pages: [pageOf(questionsOf(text("Short", { maxLength: 10 })))] } },
      removed: { definition: { pages: pages("One", "Two") } },
      ...Object.fromEntries(focused),
    });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const at = (page: Page, title: string) => page.getByRole("heading", { name: title, exact: true }).waitFor();
  const field = (page: Page, index = 0) => page.locator("main").getByRole("textbox").nth(index);
  const saved = (page: Page) => page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
  const thanks = (page: Page) => page.getByText("Thank you!").waitFor();
  const answers = (code: string) =>
    [...stand.respondents.values()].filter((each) => each.code === code).map((each) => [...each.answers.values()]);

  test("is shown at the end, if the browser's Forward has passed over it", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("forward"));
    await field(page).fill("+49 12345");
    await goOn(page);
    await at(page, "Two");
    await page.goBack();
    await at(page, "One");
    await field(page).fill("none");
    await page.goForward();
    await at(page, "Two");
    await goOn(page);
    await at(page, "One");
    await page.getByText("Please enter a phone number.").first().waitFor();
    expect(await field(page).inputValue()).toBe("none");
    await field(page).fill("+49 98765");
    await goOn(page);
    await at(page, "Two");
    await goOn(page);
    await thanks(page);
    expect(answers("forward")).toEqual([["+49 98765"]]);
  });

  test("does not keep the respondent on its page, if it is another answer's contradiction", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("ordered"));
    await goOn(page);
    await at(page, "Two");
    await saved(page);
    await field(page).fill("20");
    await field(page, 1).fill("10");
    const before = stand.calls.length;
    await page.getByRole("button", { name: "Back" }).click();
    await at(page, "One");
    await goOn(page);
    await at(page, "Two");
    expect([await field(page).inputValue(), await field(page, 1).inputValue()]).toEqual(["20", "10"]);
    await goOn(page);
    await page.getByText("High is too low.").first().waitFor();
    await field(page, 1).fill("30");
    await goOn(page);
    await thanks(page);
    // The first page again, and the last one.
    expect(stand.calls.slice(before).filter((call) => call.endsWith("/answers"))).toHaveLength(2);
    expect(answers("ordered")).toEqual([[20, 30]]);
  });

  test("is none of an international address, nor blanks around one, nor digits of another script", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("addresses"));
    const label = (name: string) => page.getByRole("textbox", { name });
    await label("Mail").first().fill("ali@مثال.إختبار ");
    expect(
      await label("Mail")
        .first()
        .evaluate((each: HTMLInputElement) => each.inputMode),
    ).toBe("email");
    await label("Site").fill(" https://example.org/ ");
    await label("Phone").first().fill("٠٥٠١٢٣٤٥٦٧");
    await label("Other mail").fill("bo@bücher.example");
    await label("E-mail").fill("cy@bücher.example");
    await label("Phone").last().fill("۰۵۰۱۲۳۴۵۶۷ ");
    await goOn(page);
    await thanks(page);
    const [mail, site, phone, form, contact] = answers("addresses")[0]!;
    expect([mail, site, phone]).toEqual(["ali@مثال.إختبار", "https://example.org/", "0501234567"]);
    expect(Object.values(form as object)).toEqual(["bo@bücher.example"]);
    expect(contact).toEqual({ email: "cy@bücher.example", phone: "0501234567" });
  });

  test("is not cut where it is too long, with a counter that tells so", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("long"));
    await field(page).focus();
    await page.keyboard.insertText("twelve signs");
    expect(await field(page).inputValue()).toBe("twelve signs");
    await page.getByText("12/10").waitFor();
    await goOn(page);
    await page.getByText("Your answer must have at most 10 characters.").first().waitFor();
    expect(answers("long")).toEqual([]);
  });

  test("is not told of a question that a new version, published before the first save, has no more", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("removed"));
    await at(page, "One");
    await field(page).fill("in vain");
    const { definition } = stand.surveys["removed"]!;
    stand.surveys["removed"]!.definition = { pages: [...pages("New"), ...definition.pages.slice(1)] };
    await page.locator("main").evaluate((drawn) => drawn.setAttribute("data-former", ""));
    await goOn(page);
    await page.locator("main[data-former]").waitFor({ state: "detached" });
    await at(page, "Two");
    await field(page).fill("for the other one");
    await goOn(page);
    await thanks(page);
    expect(answers("removed")).toEqual([["for the other one"]]);
    expect(stand.calls.filter((call) => /removed.*answers$/.test(call))).toHaveLength(1);
  });

  test.each(withoutField.map(({ type }, index) => [type, index]))("takes the focus at %s", async (_, index) => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url(`focus${index}`));
    await page.getByText("What?").first().waitFor();
    await goOn(page);
    await page.getByText("Please").first().waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest(".sd-question") !== null)).toBe(true);
  });
});
