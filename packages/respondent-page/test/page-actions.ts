import axe from "axe-core";
import type { Locator, Page } from "playwright-core";

export const goOn = (page: Page): Promise<void> => page.locator("nav .main").click();

/** Waits until an element has the focus: SurveyJS gives it when the scrolling to the element has ended. */
export const focus = (page: Page, element: Locator): Promise<void> => element.and(page.locator(":focus")).waitFor();

/** What axe finds serious or worse (WCAG 2.2 AA). */
export async function seriousFindings(page: Page): Promise<string[]> {
  // A script of the test's own, beside the policy that the page has.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const { violations } = await axe.run(document, { runOnly: { type: "tag", values: tags } });
    return violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes.map((node) => node.html) }));
  });
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, html }) => `${id}: ${html.join(" ").slice(0, 500)}`);
}
