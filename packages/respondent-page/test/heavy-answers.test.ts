import { openBrowser, openContext, openPage } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const ideograph = "漢";

/** A page of long texts. */
const texts = (count: number) => ({
  pages: [
    pageOf(
      questionsOf(
        ...Array.from({ length: count }, (_, i) => ({
          type: "long_text",
          text: `Text ${i + 1}`,
          typeSettings: { maxLength: 50_000 },
        })),
      ),
    ),
  ],
});

describe("answers of many bytes", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    stand = await startStandIn({
      page: { definition: texts(3) },
      pages: { definition: texts(12) },
      others: { definition: texts(1) },
    });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const saves = (code: string) => stand.calls.filter((call) => call.includes(`/${code}/`) && call.endsWith("/answers"));
  const answers = (code: string) =>
    [...stand.respondents.values()]
      .filter((each) => each.code === code)
      .map(({ status, answers }) => [status, ...answers.values()]);

  async function answerAll(page: Page, text: string): Promise<void> {
    const fields = page.locator("main").getByRole("textbox");
    await fields.first().waitFor();
    for (const field of await fields.all()) await field.fill(text);
    await goOn(page);
    await page.getByText("Thank you!").waitFor();
  }

  test("are sent where a page has more bytes than a request with `keepalive` may have", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("page"));
    const text = ideograph.repeat(8_000);
    await answerAll(page, text);
    expect(answers("page")).toEqual([["completed", text, text, text]]);
    expect(saves("page")).toHaveLength(1);
  });

  test("are sent in parts where a page has more bytes than a body may have", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("pages"));
    const text = ideograph.repeat(30_000);
    await answerAll(page, text);
    expect(answers("pages")).toEqual([["completed", ...Array<string>(12).fill(text)]]);
    expect(saves("pages")).toHaveLength(3);
  });

  test("are sent where other requests use up the bytes that a browser allows with `keepalive`", async () => {
    await using opened = await openContext(browser);
    await opened.context.addInitScript(() => {
      const send = window.fetch;
      window.fetch = (path, init) =>
        init?.keepalive ? Promise.reject(new TypeError("Failed to fetch")) : send(path, init);
    });
    const page = await openPage(opened.context, stand.url("others"));
    await answerAll(page, "short");
    expect(answers("others")).toEqual([["completed", "short"]]);
  });
});
