import { openBrowser, openContext, openPage, phone, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { allRequired, pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const short = () => ({ pages: [pageOf(questionsOf({ type: "rating", text: "كيف كانت؟ / How?", required: true }))] });
const others = { locale: { languages: ["de", "fr"], showSwitch: true } };

describe("each state of the page", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    stand = await startStandIn({
      light: { definition: allRequired(), settings: { display: { primaryColor: "#ffee00", progressStyle: "steps" } } },
      dark: { definition: allRequired(), settings: { display: { theme: "dark", primaryColor: "#000000" } } },
      contrast: { definition: allRequired(), settings: { display: { theme: "contrast", primaryColor: "#fafafa" } } },
      secret: { definition: short(), password: "sesame", settings: { display: { theme: "dark" } } },
      closed: { definition: short(), closed: { reason: "link_used", message: null } },
      arabic: { definition: short(), language: "ar", settings: others },
    });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  /** Fields and buttons smaller than a finger needs. Texts within a line are excepted, as in WCAG 2.5.8. */
  const smallTargets = (page: Page) =>
    page.evaluate(() => {
      const pressed =
        "button:not([tabindex='-1']), select, textarea, input.sd-text, main label:has(input[type=radio], input[type=checkbox])";
      return [...document.querySelectorAll<HTMLElement>(pressed)]
        .map((each) => ({ each, box: each.getBoundingClientRect() }))
        .filter(({ each, box }) => each.checkVisibility() && box.width > 0 && (box.height < 44 || box.width < 44))
        .map(({ each, box }) => `${each.className} ${box.width}x${box.height}`);
    });

  const strokesOfStars = (page: Page) =>
    page
      .locator(".sd-rating__item-star--error svg:visible")
      .evaluateAll((stars) => [...new Set(stars.map((star) => getComputedStyle(star).stroke))]);
  const violationColour = (page: Page) =>
    page
      .locator(".sd-rating__item-star--error")
      .first()
      .evaluate((star) => {
        star.style.color = "var(--fault)";
        return getComputedStyle(star).color;
      });

  test.each(["light", "dark", "contrast"])(
    "names all violations in %s, readable and large enough to press",
    async (code) => {
      await using opened = await openContext(browser, phone);
      const page = await openPage(opened.context, stand.url(code));
      await page.locator("nav .main").waitFor();
      expect(await smallTargets(page)).toEqual([]);
      await goOn(page);
      await page.locator("#problems").waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      expect(await page.locator("#problems li").count()).toBeGreaterThan(15);
      expect(await strokesOfStars(page)).toEqual([await violationColour(page)]);
      expect(opened.troubles).toEqual([]);
    },
  );

  test("is free of serious findings: password, closed, absent, switched language, stopped, away and the end", async () => {
    await using opened = await openContext(browser, { viewport: { width: 1280, height: 900 } });
    const found = async (page: Page) => expect(await seriousFindings(page)).toEqual([]);
    const page = await openPage(opened.context, stand.url("secret"));
    await page.getByLabel("Password").fill("guess");
    await page.getByRole("button").click();
    await page.getByText("That is not the password.").waitFor();
    await found(page);

    await page.goto(stand.url("closed"));
    await page.getByText("This link takes one answer").waitFor();
    await found(page);
    await page.goto(stand.url("absent"));
    await found(page);

    await page.goto(stand.url("arabic"));
    await page.getByRole("combobox").waitFor();
    expect(await page.evaluate(() => document.documentElement.dir)).toBe("rtl");
    await found(page);
    await page.getByRole("combobox").selectOption("de");
    await page.getByRole("button", { name: "Absenden" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.dir)).toBe("ltr");
    await page.locator("label:has(input[type=radio])").first().click();
    stand.surveys["arabic"]!.closed = { reason: "link_paused", message: null };
    await page.getByRole("button", { name: "Absenden" }).click();
    await page.getByText("nimmt zurzeit keine Antworten an").waitFor();
    await found(page);
    stand.surveys["arabic"]!.closed = null;
    stand.state.isAway = true;
    await page.getByRole("button", { name: "Noch einmal versuchen" }).click();
    await page.getByText("Die Umfrage ist gerade stark gefragt.").waitFor();
    await found(page);
    stand.state.isAway = false;
    await page.getByText("Vielen Dank!").waitFor();
    await found(page);
  });

  test("stays where it is while it is drawn", async () => {
    await using opened = await openContext(browser, phone);
    await opened.context.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(globalThis, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
      }).observe({ type: "layout-shift", buffered: true });
      // An empty page would also be a frame without height around which the embedding page moves.
      const root = () => document.getElementById("page")!;
      const noteEmpty = () => root().childElementCount === 0 && shifts.push(Infinity);
      addEventListener("DOMContentLoaded", () => new MutationObserver(noteEmpty).observe(root(), { childList: true }));
    });
    const page = await openPage(opened.context, stand.url("light"));
    await page.locator("nav .main").waitFor();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const moved = await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts);
    // What the Core Web Vitals call good.
    expect(moved.reduce((sum, each) => sum + each, 0)).toBeLessThan(0.1);
  });
});
