import type { Question } from "@canvass/questions";
import { openBrowser, openContext, openPage } from "@canvass/testing/browser";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

/** Takes away what came to browsers after Chrome 103, Firefox 104 and Safari 16. */
function makeOld(): void {
  const newer: [object | undefined, string[]][] = [
    [Promise, ["withResolvers", "try"]],
    [String.prototype, ["isWellFormed", "toWellFormed"]],
    [AbortSignal, ["timeout", "any"]],
    [URL, ["canParse", "parse"]],
    [Object, ["groupBy"]],
    [Map, ["groupBy"]],
    [Map.prototype, ["getOrInsert", "getOrInsertComputed"]],
    [Array, ["fromAsync"]],
    [Array.prototype, ["toSorted", "toReversed", "toSpliced", "with", "findLast", "findLastIndex"]],
    [Uint8Array.prototype, ["toHex", "toBase64", "setFromHex"]],
    [Uint8Array, ["fromHex", "fromBase64"]],
    [RegExp, ["escape"]],
    [Error, ["isError"]],
    [Math, ["sumPrecise", "f16round"]],
    [CSS, ["highlights"]],
    [Document, ["parseHTMLUnsafe"]],
    [HTMLElement.prototype, ["showPopover", "hidePopover", "togglePopover"]],
    [Element.prototype, ["checkVisibility", "setHTMLUnsafe", "getHTML"]],
    [window, ["Temporal", "scheduler", "Iterator"]],
  ];
  const setMethods = ["union", "intersection", "difference", "symmetricDifference"];
  newer.push([Set.prototype, [...setMethods, "isSubsetOf", "isSupersetOf", "isDisjointFrom"]]);
  const iterators = Object.getPrototypeOf(Object.getPrototypeOf([].values())) as object;
  const helpers = ["map", "filter", "take", "drop", "flatMap", "reduce", "toArray", "forEach", "some", "every", "find"];
  newer.push([iterators, helpers]);
  for (const [owner, names] of newer) for (const name of names) if (owner) Reflect.deleteProperty(owner, name);
  // Their regular expressions have neither the flag v nor modifiers nor, in Safari before 16.4, lookbehind.
  const refuseNewer = ([pattern, flags = ""]: unknown[]) => {
    if (/v/.test(String(flags)) || /\(\?(?:<[=!]|[ims]+:)/.test(String(pattern)))
      throw new SyntaxError("Invalid pattern");
  };
  window.RegExp = new Proxy(RegExp, {
    apply: (made, self, parts) => (refuseNewer(parts), Reflect.apply(made, self, parts) as RegExp),
    construct: (made, parts) => (refuseNewer(parts), new made(...(parts as [string, string]))),
  });
}

const inputs = [
  { type: "short_text", text: "Name", name: "first", required: true },
  {
    type: "short_text",
    text: "Site",
    helpText: "Where is **{{first}}**?",
    typeSettings: { format: "url", textFormat: "markdown" },
  },
  { type: "multiple_choice", text: "Drink", choices: ["Tea", "Coffee"] },
  { type: "short_text", text: "Postcode", typeSettings: { pattern: "^[0-9]{4}$" } },
  { type: "number", text: "Cups" },
  { type: "date_time", text: "Last visit", name: "visit" },
  { type: "date_time", text: "Next visit", name: "next" },
  { type: "file_upload", text: "A picture" },
];

describe("the page in a browser", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    const definition = () => {
      const questions = questionsOf(...inputs);
      const [visit, next] = questions.filter(({ name }) => name === "visit" || name === "next") as [Question, Question];
      const must = { elementId: next.elementId, operator: "greater_than" as const, answerOf: visit.elementId };
      next.logic = { constraints: [{ must, message: "Later, please." }] };
      return { pages: questions.map((each) => pageOf([each], { title: each.text })) };
    };
    const codes = ["old", "lost", "not loaded", "not run"];
    stand = await startStandIn(Object.fromEntries(codes.map((code) => [code, { definition: definition() }])));
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  test("of 2022 takes answers", async () => {
    await using opened = await openContext(browser);
    await opened.context.addInitScript(makeOld);
    const page = await openPage(opened.context, stand.url("old"));
    const field = page.locator("main").getByRole("textbox").first();
    const at = (title: string) => page.getByRole("heading", { name: title, exact: true, level: 2 }).waitFor();
    await at("Name");
    expect(await page.evaluate(() => ["a😀", "\ud83d", "\ude00\ud83d"].map((text) => text.isWellFormed()))).toEqual([
      true,
      false,
      false,
    ]);
    await field.fill("Ann 😀");
    await goOn(page);
    await at("Site");
    await page.locator("strong").getByText("Ann 😀").waitFor();
    await field.fill("no address");
    await goOn(page);
    await page.locator("#problems").getByText("Please enter a web address").first().waitFor();
    await field.fill("https://ann.example");
    await goOn(page);
    await at("Drink");
    await page.getByText("Tea", { exact: true }).click();
    await goOn(page);
    await at("Postcode");
    await field.fill("801");
    await goOn(page);
    await page.locator("#problems").getByText("in the form that is asked for").first().waitFor();
    await field.fill("8010");
    await goOn(page);
    await at("Cups");
    await field.fill("1,5");
    await goOn(page);
    await at("Last visit");
    const date = page.locator("main input[type=date]");
    await date.fill("2026-03-01");
    await goOn(page);
    await at("Next visit");
    await date.fill("2026-02-28");
    await goOn(page);
    await page.locator("#problems").getByText("Later, please.").first().waitFor();
    await date.fill("2026-03-02");
    await goOn(page);
    await at("A picture");
    stand.state.isAway = true;
    const buffer = Buffer.from("xxx");
    await page.locator("input[type=file]").setInputFiles({ name: "cup.png", mimeType: "image/png", buffer });
    await expect.poll(() => stand.calls.filter((call) => call.endsWith("/files")).length).toBeGreaterThan(0);
    stand.state.isAway = false;
    await page.locator(".files .size").waitFor();
    await goOn(page);
    await page.getByText("Thank you!").waitFor();
    const [respondent] = [...stand.respondents.values()];
    const file = [expect.objectContaining({ name: "cup.png" })];
    const given = ["Ann 😀", "https://ann.example", expect.any(String), "8010", 1.5, "2026-03-01", "2026-03-02", file];
    expect([...respondent!.answers.values()]).toEqual(given);
    expect(opened.troubles).toEqual([]);
  });

  test.each(["lost", "not loaded", "not run"])("says so where its script is %s", async (code) => {
    await using opened = await openContext(browser);
    const { context, troubles } = opened;
    if (code === "lost") await context.route(/\.js$/, (route) => route.abort());
    else if (code === "not loaded") await context.addInitScript(() => Reflect.deleteProperty(Array.prototype, "map"));
    else await context.addInitScript(() => Reflect.deleteProperty(window, "AbortController"));
    const page = await openPage(context, stand.url(encodeURIComponent(code)));
    if (code !== "lost") await expect.poll(() => troubles).toHaveLength(1);
    const words = page.getByText("The survey has not started in this browser.");
    expect(await words.isVisible()).toBe(false);
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish();
    });
    await words.waitFor();
    await page.getByRole("listitem").filter({ hasText: "Name" }).waitFor();
  });
});
