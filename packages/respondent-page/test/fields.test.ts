import type { Condition, SurveyDefinition } from "@canvass/questions";
import { openBrowser, openContext, openPage } from "@canvass/testing/browser";
import { expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn } from "./stand-in.ts";

test("a start takes the parameters of the page's address along, and one without them takes none", async () => {
  const browser = await openBrowser();
  const definition: SurveyDefinition = {
    fields: [
      { name: "customer", type: "number" },
      { name: "utm_source", type: "text" },
      { name: "plan", type: "text", default: "free" },
    ],
    pages: ["One", "Two"].map((title) => pageOf(questionsOf({ type: "long_text", text: `${title}?` }), { title })),
  };
  await using stand = await startStandIn({ named: { definition }, plain: { definition } });
  const fieldsOf = async (code: string, query: string) => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url(code) + query);
    await page.locator("main").getByRole("textbox").first().fill("given");
    await goOn(page);
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
    return [...stand.respondents.values()].find((each) => each.code === code)!.fields;
  };
  const query = "?customer=12&utm_source=a%20%3Cb%3E&q.name=x&__proto__=1&customer=13";
  expect(await fieldsOf("named", query)).toEqual({ customer: 12, utm_source: "a <b>", plan: "free" });
  expect(await fieldsOf("plain", "")).toEqual({ plan: "free" });
});

test("a respondent whose start was lost on its way back goes on at another address of the link, with its first fields", async () => {
  const browser = await openBrowser();
  const fields = [{ name: "plan", type: "text" as const }];
  const pages = ["One", "Two"].map((title) => pageOf(questionsOf({ type: "long_text", text: `${title}?` }), { title }));
  await using stand = await startStandIn({ unheard: { definition: { fields, pages } } });
  await using opened = await openContext(browser);
  const page = await openPage(opened.context, `${stand.url("unheard")}?plan=free`);
  const start = "**/unheard/respondents";
  await page.route(start, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.locator("main").getByRole("textbox").first().fill("given");
  await goOn(page);
  const begun = () => [...stand.respondents.values()].map((each) => [each.fields, ...each.answers.values()]);
  await expect.poll(begun).toEqual([[{ plan: "free" }]]);
  await page.unrouteAll({ behavior: "wait" });
  await page.goto(`${stand.url("unheard")}?plan=pro&fbclid=x`);
  await expect.poll(begun).toEqual([[{ plan: "free" }, "given"]]);
});

test("a field of the query string and the language decide what is shown, from the first page on", async () => {
  const shownIf = (text: string, showIf: Condition) => ({
    ...questionsOf({ type: "short_text", text })[0]!,
    logic: { showIf },
  });
  const definition: SurveyDefinition = {
    fields: [{ name: "plan", type: "text" }],
    pages: [
      pageOf([
        shownIf("For the pro plan?", { field: "plan", operator: "equals", value: "pro" }),
        shownIf("In English?", { language: true, operator: "equals", value: "en" }),
        shownIf("In German?", { language: true, operator: "equals", value: "de" }),
        ...questionsOf({ type: "short_text", text: "For all?" }),
      ]),
    ],
  };
  const locale = { languages: ["de"], showSwitch: true };
  const anonymous = { locale, privacy: { anonymity: "full" } };
  await using stand = await startStandIn({
    named: { definition, settings: { locale } },
    anonymous: { definition, settings: anonymous },
  });
  const browser = await openBrowser();
  const names = ["For the pro plan?", "In English?", "In German?"];
  const expectShown = async (code: string, query: string, expected: string[], language?: string) => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url(code) + query);
    const all = page.locator("main").getByRole("textbox", { name: "For all?" });
    await all.fill("kept");
    if (language) await page.getByRole("combobox").selectOption(language);
    await page.locator(`html[lang="${language ?? "en"}"]`).waitFor();
    await all.waitFor();
    const shown = async () => {
      const counts = await Promise.all(names.map((name) => page.getByRole("textbox", { name }).count()));
      return names.filter((_, at) => counts[at] === 1);
    };
    // The page of the former language may still be there.
    await expect.poll(shown).toEqual(expected);
    expect(await all.inputValue()).toBe("kept");
  };
  await expectShown("named", "?plan=pro", ["For the pro plan?", "In English?"]);
  await expectShown("named", "?plan=free", ["In German?"], "de");
  await expectShown("anonymous", "?plan=pro", ["In English?"]);
});
