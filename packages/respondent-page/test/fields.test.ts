import type { SurveyDefinition } from "@canvass/questions";
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
