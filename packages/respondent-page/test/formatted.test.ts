import { openBrowser, openContext, openPage, seriousFindings } from "@canvass/testing/browser";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const hostile = "<script>window.hurt = 1</script> [x](javascript:window.hurt=1) ![x](data:image/svg+xml,<svg>)";

const definition = {
  pages: [
    pageOf(
      questionsOf(
        {
          type: "statement",
          text: "Welcome to *our* house",
          textFormat: "markdown",
          typeSettings: { text: `Take:\n\n- one\n- **two**\n\n${hostile}` },
        },
        {
          type: "short_text",
          text: "Your **first** name",
          helpText: `See [the terms](https://terms.example/). ${hostile}`,
          textFormat: "markdown",
          required: true,
        },
        { type: "short_text", text: "Your **last** name" },
      ),
    ),
  ],
};

let browser: Browser;
let stand: StandIn;
beforeAll(async () => {
  browser = await openBrowser();
  stand = await startStandIn({ formatted: { definition } });
});
afterAll(() => stand?.[Symbol.asyncDispose]());

test("Markdown is rendered, and nothing of it runs", async () => {
  await using opened = await openContext(browser, { viewport: { width: 1000, height: 1000 } });
  const page = await openPage(opened.context, stand.url("formatted"));
  await page.locator("h3 em", { hasText: "our" }).waitFor();
  expect(await page.locator(".reading li").allTextContents()).toEqual(["one", "two"]);
  await page.locator("strong", { hasText: "first" }).waitFor();
  const link = page.getByRole("link", { name: "the terms" });
  expect(await link.getAttribute("href")).toBe("https://terms.example/");
  expect(await link.getAttribute("rel")).toContain("noopener");
  // Plain text shows its marks.
  await page.getByText("Your **last** name").waitFor();
  // Screen readers and the summary of problems get the text without marks.
  await page.getByRole("textbox", { name: /^(?:1\. *)?Your first name/ }).waitFor();
  await goOn(page);
  await page.getByRole("alert").getByText("Your first name").waitFor();
  expect(await page.locator("main img, main script, main a[href^='javascript']").count()).toBe(0);
  expect(await page.evaluate("window.hurt")).toBeUndefined();
  expect(await seriousFindings(page)).toEqual([]);
  expect(opened.troubles).toEqual([]);
});
