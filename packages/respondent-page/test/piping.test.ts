import { buildQuestions, type Question, type SurveyDefinition } from "@canvass/questions";
import { openBrowser, openContext, openPage, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

function survey(): { definition: SurveyDefinition; name: string } {
  const [name, greeting, formatted] = questionsOf(
    { type: "long_text", text: "Your name?", name: "who" },
    { type: "short_text", text: "Hi {{who|you}}! {who} How are you?", helpText: "For {{who}} only" },
    {
      type: "yes_no",
      text: "**Dear** {{who|you}}, see [this](https://x.y/?q={{who}})",
      typeSettings: { textFormat: "markdown", labels: { yes: "Yes, {{who|I}} do", no: "No" } },
    },
  ) as [Question, Question, Question];
  const [dishes, age] = questionsOf(
    { type: "multiple_choice", text: "Dishes?", choices: ["Soup", "Cake", "Tea"], multipleAnswers: true },
    { type: "number", text: "Age?" },
  ) as [Question, Question];
  const result = buildQuestions(
    [
      { type: "yes_no", text: "What about {{loop}}?", typeSettings: { labels: { yes: "{{loop}}!", no: "No" } } },
      {
        type: "dropdown",
        text: `Of {{${dishes.elementId}}} at {{${age.elementId}}}?`,
        choices: [`{{${dishes.elementId}}} all`, "None"],
      },
    ],
    (() => {
      let last = 0;
      return () => `p${String(++last).padStart(15, "0")}`;
    })(),
  );
  if ("violations" in result) throw new Error(JSON.stringify(result.violations));
  const [about, which] = result.questions.map(({ question }) => question) as [Question, Question];
  const definition = {
    pages: [
      pageOf([name, greeting, formatted], { title: "First" }),
      pageOf([dishes, age], { title: `For {{${name.elementId}|you}}` }),
      pageOf([about], { title: "On {{loop}}", loop: { elementId: dishes.elementId } }),
      pageOf([which], { title: "Last" }),
    ],
  };
  return { definition, name: name.elementId };
}

function withDefaults(): SurveyDefinition {
  const [drink, cups, after, why] = questionsOf(
    { type: "multiple_choice", name: "drink", text: "Drink?", choices: ["Coffee", "Tea"], defaultValue: "Tea" },
    { type: "number", name: "cups", text: "How many?", defaultValue: 2 },
    { type: "short_text", text: "{{drink}} is it?" },
    { type: "short_text", name: "why", text: "Why?", defaultValue: "Because" },
  ) as [Question, Question, Question, Question];
  return { pages: [pageOf([drink, cups, after], { title: "First" }), pageOf([why], { title: "Second" })] };
}

function naming(): SurveyDefinition {
  const text = "Dear {{contact.firstName|friend}} of {{field.town|nowhere}}, {{field.count|0}} times?";
  const fields = [
    { name: "town", type: "text" as const },
    { name: "count", type: "number" as const },
  ];
  return { fields, pages: [pageOf(questionsOf({ type: "short_text", text }))] };
}

let browser: Browser;
let stand: StandIn;
beforeAll(async () => {
  browser = await openBrowser();
  const { definition, name } = survey();
  const completion = { message: `Thank you, {{${name}|friend}}.` };
  const onward = {
    title: `Well done, {{${name}|friend}}`,
    redirectUrl: `https://panel.example/?name={{${name}}}`,
    buttonRedirect: "To the panel",
  };
  stand = await startStandIn({
    piped: { definition, settings: { completion } },
    defaults: { definition: withDefaults() },
    known: { definition: naming(), contact: { firstName: "Ada" } },
    stranger: { definition: naming() },
    prefilled: { definition: withDefaults(), prefill: true },
    arabic: { definition, settings: { completion }, language: "ar" },
    back: { definition, settings: { completion: onward } },
    away: { definition, settings: { completion: { redirectUrl: `https://thanks.example/{{${name}}}?x=1` } } },
  });
});
afterAll(async () => {
  await stand?.[Symbol.asyncDispose]();
});

const heading = (page: Page, name: string) => page.getByRole("heading", { name }).first().waitFor();

const hostile = [
  ["plain", "Ann"],
  ["markup", `<img src=x onerror="window.hit=1"> <b>x</b> **b** [a](javascript:alert(1)) &lt;`],
  ["braces", "{{who}} {who} {{field.x|y}} ${1}"],
  ["Thai", "สมชาย ใจดี"],
  ["right to left", "سارة \u202e محمد"],
  ["long", "a".repeat(10_000)],
] as const;

/** As texts show it. */
function shown(value: string): string {
  const line = value.replaceAll("\u202e", "").replace(/\s+/g, " ");
  const short = line.length > 300 ? `${line.slice(0, 299)}…` : line;
  return /[\u0600-\u06ff]/.test(short) ? `\u2068${short}\u2069` : short;
}

test.each(hostile)("an answer of %s is shown as text, at once and on later pages", async (_kind, value) => {
  await using opened = await openContext(browser, { viewport: { width: 375, height: 700 } });
  const page = await openPage(opened.context, stand.url("piped"));
  await heading(page, "Hi you! {who} How are you?");
  const name = page.getByRole("textbox", { name: /Your name/ });
  await name.fill(value);
  await page
    .getByText(`Hi ${shown(value)}! {who} How are you?`)
    .first()
    .waitFor();
  expect(await name.inputValue()).toBe(value);
  expect(await name.evaluate((element) => element === document.activeElement)).toBe(true);
  const link = page.getByRole("link", { name: "this" });
  expect(await link.getAttribute("href")).toMatch(/^https:\/\/x\.y\/\?q=[\w%.-]+$/);
  expect(await page.getByText(`Dear ${shown(value)}, see this`).count()).toBeGreaterThan(0);
  expect(await page.evaluate(() => (window as { hit?: number }).hit)).toBeUndefined();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await goOn(page);
  await page
    .getByText(`For ${shown(value)}`, { exact: true })
    .first()
    .waitFor();
  expect(opened.troubles).toEqual([]);
});

test("labels, numbers and loops are in the language, and the end knows the name, also after a reload", async () => {
  await using opened = await openContext(browser, { viewport: { width: 1280, height: 900 } });
  const page = await openPage(opened.context, stand.url("piped"));
  await page.getByRole("textbox", { name: /Your name/ }).fill("Ann");
  await goOn(page);
  await heading(page, "For Ann");
  await page.getByText("Soup").click();
  await page.getByText("Tea").click();
  await page.getByRole("textbox", { name: /Age/ }).fill("1234.5");
  await goOn(page);
  await heading(page, "On Soup");
  await heading(page, "What about Soup?");
  await goOn(page);
  await heading(page, "What about Tea?");
  await goOn(page);
  await heading(page, "Of Soup and Tea at 1,234.5?");
  await page.getByRole("combobox").click();
  await page.getByRole("option", { name: "Soup and Tea all" }).waitFor();
  await page.keyboard.press("Escape");
  expect(await seriousFindings(page)).toEqual([]);
  // Going back and changing an answer changes the texts.
  for (const title of ["On Tea", "On Soup", "For Ann"]) {
    await page.getByRole("button", { name: "Back" }).click();
    await heading(page, title);
  }
  await page.getByText("Tea").click();
  await goOn(page);
  await heading(page, "On Soup");
  await goOn(page);
  await heading(page, "Of Soup at 1,234.5?");
  await goOn(page);
  await page.getByText("Thank you, Ann.").waitFor();
  await page.reload();
  await page.getByText("Thank you, Ann.").waitFor();
  expect(opened.troubles).toEqual([]);
});

test("an answer goes encoded into the address at the end", async () => {
  await using opened = await openContext(browser);
  await opened.context.route("https://thanks.example/**", (route) => route.fulfill({ body: "done" }));
  const page = await openPage(opened.context, stand.url("away"));
  await page.getByRole("textbox", { name: /Your name/ }).fill("a/../b?c=d&e#f");
  for (const title of ["For a/../b?c=d&e#f", "Last"]) {
    await goOn(page);
    await heading(page, title);
  }
  await goOn(page);
  await page.waitForURL("https://thanks.example/**");
  expect(page.url()).toBe("https://thanks.example/a%2F..%2Fb%3Fc%3Dd%26e%23f?x=1");
});

test("the title at the end and the address behind it know the name, also after a reload", async () => {
  await using opened = await openContext(browser);
  const page = await openPage(opened.context, stand.url("back"));
  await page.getByRole("textbox", { name: /Your name/ }).fill("Ann");
  for (const title of ["For Ann", "Last"]) {
    await goOn(page);
    await heading(page, title);
  }
  await goOn(page);
  const onward = page.getByRole("link", { name: "To the panel" });
  for (const isLoadedAgain of [false, true]) {
    if (isLoadedAgain) await page.reload();
    await heading(page, "Well done, Ann");
    expect(await onward.getAttribute("href")).toBe("https://panel.example/?name=Ann");
  }
});

test("a default is shown at the first visit of its page, counts when that is saved, and can be taken back", async () => {
  await using opened = await openContext(browser);
  const page = await openPage(opened.context, stand.url("defaults"));
  const field = page.getByRole("textbox", { name: /How many/ });
  await field.waitFor();
  expect(await field.inputValue()).toBe("2");
  expect(await page.getByRole("radio", { name: "Tea" }).isChecked()).toBe(true);
  await page.getByText("Tea is it?").first().waitFor();
  await field.fill("");
  await page.reload();
  await page.getByRole("radio", { name: "Tea" }).waitFor();
  expect(await field.inputValue()).toBe("");
  await goOn(page);
  await page.getByRole("textbox", { name: /Why/ }).waitFor();
  expect(await page.getByRole("textbox", { name: /Why/ }).inputValue()).toBe("Because");
  await goOn(page);
  await page.getByText("Thank you").first().waitFor();
  expect([...[...stand.respondents.values()].at(-1)!.answers.values()]).toEqual([expect.any(String), "Because"]);
  expect(opened.troubles).toEqual([]);
});

test("the query string of a link with prefill answers questions by name, and invalid answers are ignored", async () => {
  await using opened = await openContext(browser);
  const given = "q.DRINK=Coffee&q.cups=many&q.why=%3Cb%3Ex%3C%2Fb%3E&q.nothing=1&q.__proto__=1";
  const page = await openPage(opened.context, `${stand.url("prefilled")}?${given}`);
  await page.getByText("Coffee is it?").first().waitFor();
  expect(await page.getByRole("radio", { name: "Coffee" }).isChecked()).toBe(true);
  expect(await page.getByRole("textbox", { name: /How many/ }).inputValue()).toBe("2");
  await goOn(page);
  await page.getByRole("textbox", { name: /Why/ }).waitFor();
  expect(await page.getByRole("textbox", { name: /Why/ }).inputValue()).toBe("<b>x</b>");
  await goOn(page);
  await page.getByText("Thank you").first().waitFor();
  const { answers } = [...stand.respondents.values()].at(-1)!;
  expect([...answers.values()]).toEqual([expect.any(String), 2, "<b>x</b>"]);
  // A link without prefill takes none.
  const other = await openPage(opened.context, `${stand.url("defaults")}?${given}`);
  await other.getByText("Tea is it?").first().waitFor();
  expect(opened.troubles).toEqual([]);
});

test("texts show fields of the query string and the contact's first name", async () => {
  await using opened = await openContext(browser);
  const page = await openPage(opened.context, `${stand.url("known")}?town=%3Cb%3EUlm%20{x}&count=1234.5`);
  const told = "Dear Ada of <b>Ulm {x}, 1,234.5 times?";
  await heading(page, told);
  const stranger = await openPage(opened.context, stand.url("stranger"));
  await heading(stranger, "Dear friend of nowhere, 0 times?");
  await page.getByRole("textbox").fill("x");
  await goOn(page);
  await page.getByText("Thank you").first().waitFor();
  expect(opened.troubles).toEqual([]);
});
