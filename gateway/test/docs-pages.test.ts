import { openBrowser, openContext, openPage, phone, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guides } from "../src/plugins/docs/guides.ts";
import { startEdge, type Edge } from "./start-edge.ts";

let edge: Edge;
let browser: Browser;
beforeAll(async () => {
  edge = await startEdge({}, { config: { CANVASS_RATE_LIMITS: "off" } });
  browser = await openBrowser();
});
afterAll(() => edge[Symbol.asyncDispose]());

const paths = guides.map(({ path }) => path);
const linksOf = (html: string) => [...html.matchAll(/ href="([^"]*)"/g)].map(([, link]) => link!);
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!);
const readPage = async (path: string) => (await fetch(edge.url + path)).text();
const searchResults = (page: Page) => page.locator("#found a");

/** Types into the search field and waits for results. */
async function search(page: Page, words: string): Promise<string[]> {
  await page.keyboard.press("/");
  await page.keyboard.type(words);
  await page.locator("#search-status", { hasText: "found" }).waitFor();
  return searchResults(page).evaluateAll((links) => links.map((link) => link.getAttribute("href")!));
}

test.each(paths)("%s is whole without its script, has each id once, and links that lead somewhere", async (path) => {
  const answer = await fetch(edge.url + path);
  const html = await answer.text();
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(html.match(/<script[^>]*>/g)).toEqual(["<script>"]);
  expect(html).not.toMatch(/ style=|\son\w+=/);
  expect(html.replaceAll(/<code>[^<]*<\/code>/g, "")).not.toContain("{{");
  const ids = idsOf(html);
  expect(new Set(ids).size).toBe(ids.length);
  for (const link of new Set(linksOf(html))) {
    const { origin, pathname, hash } = new URL(link, edge.url + path);
    if (origin !== edge.url) continue;
    const target = await fetch(edge.url + pathname);
    expect(target.status, `of ${link}`).toBe(200);
    if (hash && pathname !== "/docs/") expect(idsOf(await target.text()), `of ${link}`).toContain(hash.slice(1));
  }
});

test("the index and the reference lead to every page, and each page back", async () => {
  const index = linksOf(await readPage("/docs/guides/"));
  expect(index).toEqual(expect.arrayContaining(paths));
  for (const path of [...paths, "/docs/"])
    expect(linksOf(await readPage(path))).toEqual(
      expect.arrayContaining(["/docs/guides/", "/docs/", "/docs/contract"]),
    );
  const moved = await fetch(`${edge.url}/docs/guides`, { redirect: "manual" });
  expect([moved.status, moved.headers.get("location")]).toEqual([301, "/docs/guides/"]);
});

describe.each([
  ["a phone in the dark", { ...phone, viewport: { width: 375, height: 812 }, colorScheme: "dark" as const }],
  ["a desk", { viewport: { width: 1280, height: 900 } }],
])("on %s", (_where, options) => {
  test.each([...paths, "/docs/"])("%s fits, and is free of serious findings", async (path) => {
    await using opened = await openContext(browser, options);
    const page = await openPage(opened.context, edge.url + path);
    await page.locator("#documents search").waitFor();
    const { scroll, width } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = (
        globalThis as unknown as { document: { documentElement: Record<string, number> } }
      ).document.documentElement;
      return { scroll: scrollWidth!, width: clientWidth! };
    });
    expect(scroll).toBeLessThanOrEqual(width);
    // The reference is the library's own, but for the bar.
    if (path !== "/docs/") expect(await seriousFindings(page)).toEqual([]);
    expect(opened.troubles).toEqual([]);
  });
});

test("tabs open one at a time, by the keyboard", async () => {
  await using opened = await openContext(browser);
  const page = await openPage(opened.context, `${edge.url}/docs/guides/first-survey`);
  const open = () => page.locator(".tabs details[open] summary").allTextContents();
  expect(await open()).toEqual(["curl"]);
  await page.locator(".tabs summary").nth(1).focus();
  await page.keyboard.press("Enter");
  expect(await open()).toEqual(["SDK"]);
});

describe("the search", () => {
  test("finds guides, rules and operations, announces how many, and works by the keyboard alone", async () => {
    await using opened = await openContext(browser);
    const hosts = new Set<string>();
    opened.context.on("request", (request) => hosts.add(new URL(request.url()).origin));
    const page = await openPage(opened.context, `${edge.url}/docs/guides/`);
    expect(await search(page, "idempotency keys")).toContain("/docs/contract#3.4");
    expect(await page.getByRole("status").textContent()).toMatch(/^\d+ found$/);
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await searchResults(page).count()).toBe(0);
    expect(await search(page, "certify receiver")).toContain("/docs/guides/webhooks#test-the-receiver");
    await page.keyboard.press("Escape");
    await search(page, "createSurvey");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/docs\/#tag\/surveys\/POST\/api\/v1\/surveys$/);
    expect([...hosts]).toEqual([edge.url]);
    expect(opened.troubles).toEqual([]);
  });

  test("is the reference's only one, and its results lead to operations there", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, `${edge.url}/docs/`);
    await page.getByRole("heading", { name: "Canvass", level: 1 }).waitFor();
    expect(await page.getByRole("button", { name: /search/i }).count()).toBe(0);
    await search(page, "revoke a token");
    await searchResults(page).first().click();
    await page.getByRole("heading", { name: "Revoke a token" }).and(page.locator(":visible")).first().waitFor();
    expect(opened.troubles).toEqual([]);
  });

  test("says when it cannot search, and tries again", async () => {
    await using opened = await openContext(browser);
    let isOffline = true;
    await opened.context.route("**/docs/search.json", (route) => (isOffline ? route.abort() : route.continue()));
    const page = await openPage(opened.context, `${edge.url}/docs/contract`);
    await page.keyboard.press("/");
    await page.keyboard.type("etag");
    await page.getByText("does not work now").waitFor();
    isOffline = false;
    await page.keyboard.press("Escape");
    expect(await search(page, "entity tags")).toContain("/docs/contract#3.1");
  });

  test("the search text is shown as text", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, `${edge.url}/docs/guides/`);
    await search(page, "<img src=x onerror=alert(1)> token");
    expect(await page.locator("#documents img").count()).toBe(0);
    expect(opened.troubles).toEqual([]);
  });
});
