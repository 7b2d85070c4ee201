import { openBrowser, openContext, openPage, phone, seriousFindings } from "@canvass/testing/browser";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goOn, widths } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const logo = "https://pictures.example/logo.png";
const pictures = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ text: `Cup ${at + 1}`, imageUrl: `https://pictures.example/${at}.png` }));
const definition = () => ({
  pages: [
    pageOf(
      questionsOf(
        { type: "yes_no", text: "Open?" },
        { type: "image_choice", text: "Which cup?", required: true, choices: pictures(4) },
        { type: "short_text", text: "Name" },
        { type: "long_text", text: "Remark" },
      ),
    ),
  ],
});
const welcome = { enabled: true, title: "Welcome" };
const completion = { title: "The end" };

describe("the look of the page", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    stand = await startStandIn({
      question: {
        definition: definition(),
        settings: { display: { flow: "question", logo }, welcome, completion },
      },
      arabic: { definition: definition(), language: "ar", settings: { display: { flow: "question", logo } } },
      seven: {
        definition: { pages: [pageOf(questionsOf({ type: "image_choice", text: "-", choices: pictures(7) }))] },
      },
      six: { definition: { pages: [pageOf(questionsOf({ type: "image_choice", text: "-", choices: pictures(6) }))] } },
    });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const boxOf = async (place: Locator) => (await place.boundingBox())!;
  const asked = (page: Page, text: string) => page.locator("main h3", { hasText: text }).waitFor();
  const start = (page: Page) => page.locator(".welcome .button").click();
  const cards = (page: Page) => page.locator(".sd-imagepicker__item");
  const rows = async (page: Page) => {
    await cards(page).first().waitFor();
    const tops = await cards(page).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    return [...new Set(tops)].map((top) => tops.filter((each) => each === top).length);
  };
  /** The mark of the Enter key on the button that goes on. */
  const hint = (page: Page) =>
    page.locator("nav .main").evaluate((button) => getComputedStyle(button, "::after").content.slice(0, 3));

  for (const [width, options] of Object.entries({ ...widths, phone }))
    test(`begins each screen at one edge and below one logo (${width})`, async () => {
      await using opened = await openContext(browser, options);
      const page = await openPage(opened.context, stand.url("question"));
      const shown = page.locator(".logo");
      await page.locator(".welcome .button").waitFor();
      const edges = [await boxOf(page.getByRole("heading", { name: "Welcome" })), await boxOf(shown)];
      await start(page);
      for (const text of ["Open?", "Which cup?", "Name", "Remark"]) {
        await asked(page, text);
        edges.push(await boxOf(page.locator("main h3")), await boxOf(shown));
        // The name of the survey stands beside the logo.
        const [beside, name] = [await boxOf(shown), await boxOf(page.locator("header h1"))];
        expect(name.y).toBeLessThan(beside.y + beside.height);
        if (text === "Which cup?") await page.getByText("Cup 2").click();
        await goOn(page);
      }
      edges.push(await boxOf(page.getByRole("heading", { name: "The end" })), await boxOf(shown));
      expect(new Set(edges.map(({ x }) => Math.round(x))).size).toBe(1);
      expect(await seriousFindings(page)).toEqual([]);
      expect(opened.troubles).toEqual([]);
    });

  test.each(["question", "arabic"])("moves no button when an answer can be cleared (%s)", async (code) => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url(code));
    if (code === "question") await start(page);
    await asked(page, "Open?");
    const before = await boxOf(page.locator("nav .main"));
    await page.locator("main label").first().click();
    const clear = await boxOf(page.locator(".clear"));
    expect(await boxOf(page.locator("nav .main"))).toEqual(before);
    expect(clear.height).toBeGreaterThanOrEqual(44);
    expect(clear.y + clear.height).toBeLessThanOrEqual(before.y);
    await page.locator(".clear").click();
    await page.locator(".clear").waitFor({ state: "hidden" });
  });

  test("shows pictures also below the pointer and while their answer is missing", async () => {
    await using opened = await openContext(browser, widths.desktop);
    const page = await openPage(opened.context, stand.url("question"));
    await start(page);
    await asked(page, "Open?");
    await goOn(page);
    await asked(page, "Which cup?");
    await goOn(page);
    await page.getByText("Please answer this question.").waitFor();
    await cards(page).first().locator("img").hover();
    const picture = cards(page).first().locator(".sd-imagepicker__image-container");
    const look = await picture.evaluate((container) => ({
      cover: getComputedStyle(container, "::before").content,
      opacity: getComputedStyle(container.querySelector("img")!).opacity,
    }));
    expect(look).toEqual({ cover: "none", opacity: "1" });
    expect(await seriousFindings(page)).toEqual([]);
  });

  test("sets four pictures in a row, six in rows of three, and two beside each other on a phone", async () => {
    await using opened = await openContext(browser, widths.desktop);
    const page = await openPage(opened.context, stand.url("arabic"));
    await asked(page, "Open?");
    await goOn(page);
    expect(await rows(page)).toEqual([4]);
    expect(await rows(await openPage(opened.context, stand.url("seven")))).toEqual([4, 3]);
    expect(await rows(await openPage(opened.context, stand.url("six")))).toEqual([3, 3]);
    await using small = await openContext(browser, widths.narrow);
    expect(await rows(await openPage(small.context, stand.url("seven")))).toEqual([2, 2, 2, 1]);
  });

  test("marks the button with the Enter key where keyboards go on by it", async () => {
    const seen = async (options: BrowserContextOptions) => {
      await using opened = await openContext(browser, options);
      const page = await openPage(opened.context, stand.url("question"));
      await start(page);
      const hints: string[] = [];
      for (const text of ["Open?", "Which cup?", "Name", "Remark"]) {
        await asked(page, text);
        hints.push(await hint(page));
        if (text === "Which cup?") await page.getByText("Cup 2").click();
        await goOn(page);
      }
      return hints;
    };
    expect(await seen(widths.desktop)).toEqual(['"↵"', '"↵"', '"↵"', "non"]);
    expect(await seen(phone)).toEqual(["non", "non", "non", "non"]);
  });
});
