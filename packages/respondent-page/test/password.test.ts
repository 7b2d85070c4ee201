import { openBrowser, openContext, openPage, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const definition = () => ({
  pages: [pageOf(questionsOf({ type: "short_text", text: "Name" }), { title: "One" })],
});

describe("a link with a password", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    const codes = ["secret", "replaced", "mistyped", "deleted"];
    stand = await startStandIn(
      Object.fromEntries(codes.map((code) => [code, { definition: definition(), password: "sesame" }])),
    );
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const at = (page: Page, title: string) => page.getByRole("heading", { name: title, exact: true }).waitFor();
  const begun = (code: string) => [...stand.respondents.values()].filter((each) => each.code === code);

  test("opens by it alone", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("secret"));
    expect(await page.content()).not.toContain("Name");
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel("Password").fill("guess");
    await page.getByRole("button").click();
    await page.getByText("That is not the password.").waitFor();
    await page.getByLabel("Password").fill("sesame");
    await page.getByRole("button").click();
    await at(page, "One");
    expect(begun("secret")).toHaveLength(1);
  });

  test.each([
    ["replaced", "by a password that was replaced after", "linseed", 2],
    ["mistyped", "by its password, once after a typo, and goes on with", "sesame", 1],
  ])("opens (%s) %s a start which was lost on its way back", async (code, _, password, starts) => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url(code));
    const enter = async (given: string) => {
      await page.getByLabel("Password").fill(given);
      await page.getByRole("button").click();
    };
    const loseOnTheWay = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    // The page sends a request that fails once more, without `keepalive`.
    await page.route(`**/${code}/respondents`, loseOnTheWay, { times: 2 });
    await enter("sesame");
    await page.getByText("The survey cannot be reached right now.").waitFor();
    stand.surveys[code]!.password = password;
    await page.reload();
    await enter("guess");
    await page.getByText("That is not the password.").waitFor();
    await enter(password);
    await at(page, "One");
    expect(begun(code)).toHaveLength(starts);
  });

  test("says that the link is gone, not that the password is wrong", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("deleted"));
    await page.getByLabel("Password").fill("sesame");
    delete stand.surveys["deleted"];
    await page.getByRole("button").click();
    await page.getByText("There is no survey at this address.").waitFor();
    expect(await page.getByLabel("Password").count()).toBe(0);
  });
});
