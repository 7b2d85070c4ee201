import axe from "axe-core";
import type { Page } from "playwright-core";

/** Returns the serious and critical findings of axe (WCAG 2.2 AA). */
export async function seriousFindings(page: Page): Promise<string[]> {
  // The test's own script, which the page's policy would refuse.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const root = (globalThis as unknown as { document: import("axe-core").ElementContext }).document;
    const { violations } = await axe.run(root, { runOnly: { type: "tag", values: tags } });
    return violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes.map((node) => node.html) }));
  });
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, html }) => `${id}: ${html.join(" ").slice(0, 500)}`);
}
