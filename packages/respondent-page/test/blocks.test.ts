import { openBrowser, openContext, openPage, phone } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const titles = ["A", "B", "C", "D"];
const survey = () => {
  const questions = questionsOf(...["Begin", ...titles].map((text) => ({ type: "short_text", text: `Text ${text}` })));
  const rest = (at: number) => (at === 0 ? {} : { block: "topics" });
  return {
    pages: questions.map((question, at) => pageOf([question], { title: ["Begin", ...titles][at]!, ...rest(at) })),
  };
};

let browser: Browser;
let stand: StandIn;
beforeAll(async () => {
  browser = await openBrowser();
  stand = await startStandIn({ phone: { definition: survey() }, desktop: { definition: survey() } });
});
afterAll(async () => {
  await stand?.[Symbol.asyncDispose]();
});

const widths = [
  ["phone", phone],
  ["desktop", { viewport: { width: 1280, height: 1000 } }],
] as const;

/** Waits for a page with another title than `before`, and returns its title. */
async function titleAfter(page: Page, before: string): Promise<string> {
  const title = page.locator("h2", { hasNotText: new RegExp(`^${before}$`) }).filter({ hasText: /^(?:Begin|[A-D])$/ });
  await title.waitFor();
  return (await title.innerText()).trim();
}

test.each(widths)(
  "pages of a block come in the respondent's order, also after a reload, on a %s",
  async (code, options) => {
    const orders = new Set<string>();
    for (let person = 0; person < 4; person += 1) {
      await using opened = await openContext(browser, options);
      const page = await openPage(opened.context, stand.url(code));
      const seen: string[] = [];
      for (let title = await titleAfter(page, ""); ; title = await titleAfter(page, title)) {
        seen.push(title);
        if (person === 0) {
          await page.getByRole("textbox", { name: /Text/ }).fill(title);
          if (seen.length > 1) {
            await page.reload();
            // Before the script, the page shows the first one.
            await page.getByRole("textbox", { name: `Text ${title}` }).waitFor();
          }
        }
        await goOn(page);
        if (seen.length === 5) break;
      }
      await page.getByText("Thank you!").waitFor();
      expect([seen[0], seen.slice(1).toSorted()]).toEqual(["Begin", titles]);
      orders.add(seen.join(""));
      expect(opened.troubles).toEqual([]);
    }
    expect(orders.size).toBeGreaterThan(1);
    const statuses = [...stand.respondents.values()].filter((each) => each.code === code).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 4 }, () => "completed"));
  },
);
