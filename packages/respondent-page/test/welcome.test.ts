import { openBrowser, openContext, openPage, phone, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { waitForFocus, goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const definition = () => ({
  pages: [pageOf(questionsOf({ type: "short_text", text: "Which dish?" }), { title: "Food" })],
});
const welcome = {
  enabled: true,
  title: "How was lunch?",
  text: "Three questions.\nThank you!",
  buttonStart: "Let's go",
};
const logo = "https://pictures.example/logo.png";

let browser: Browser;
let stand: StandIn;
beforeAll(async () => {
  browser = await openBrowser();
  stand = await startStandIn({
    plain: { definition: definition(), description: "About the canteen", settings: { welcome: { enabled: true } } },
    full: {
      definition: definition(),
      settings: {
        welcome,
        display: { logo, backgroundColor: "#fff4e0", font: "serif", cornerRadius: 2, primaryColor: "#b3541e" },
        locale: { languages: ["ar"], showSwitch: true },
        completion: {
          title: "That was it",
          message: "See you tomorrow.",
          redirectUrl: "https://menu.example/today?a=1",
          buttonRedirect: "To the menu",
        },
      },
      texts: { ar: { welcomeTitle: "كيف كان الغداء؟" } },
    },
    secret: { definition: definition(), settings: { welcome }, password: "sesame" },
    personal: { definition: definition(), settings: { welcome }, isPersonal: true },
    long: {
      definition: {
        pages: [
          pageOf(questionsOf(...Array.from({ length: 30 }, (_, at) => ({ type: "short_text", text: `Dish ${at}?` })))),
        ],
      },
      settings: { welcome },
    },
    closed: { definition: definition(), settings: { welcome }, closed: { reason: "link_paused", message: "Later." } },
  });
});
afterAll(async () => {
  await stand?.[Symbol.asyncDispose]();
});

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true }).waitFor();
const shifts = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
        }).observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );

for (const [width, options] of Object.entries({ phone, desktop: { viewport: { width: 1280, height: 900 } } }))
  test(`a survey has its own beginning and end on a ${width}, with the keyboard alone`, async () => {
    await using opened = await openContext(browser, options);
    const page = await openPage(opened.context, stand.url("full"));
    await heading(page, "How was lunch?");
    await page.getByRole("button", { name: "Let's go" }).waitFor();
    expect(await shifts(page)).toBeLessThan(0.02);
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.getByText("Which dish?").count()).toBe(0);
    expect(await page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor)).toBe(
      "rgb(255, 244, 224)",
    );
    expect(await page.locator("body").evaluate((body) => getComputedStyle(body).fontFamily)).toContain("Charter");

    await page.getByRole("combobox").selectOption("ar");
    await heading(page, "كيف كان الغداء؟");
    expect(await page.evaluate(() => document.documentElement.dir)).toBe("rtl");
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("combobox").selectOption("en");
    await heading(page, "How was lunch?");

    await page.getByRole("combobox").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await waitForFocus(page, page.locator("main"));
    await heading(page, "Food");
    // The screen is shown once.
    await page.reload();
    await heading(page, "Food");
    await page.locator("main").getByRole("textbox").fill("Soup");
    await page.keyboard.press("Enter");
    await heading(page, "That was it");
    await page.getByText("See you tomorrow.").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const onward = page.getByRole("link", { name: "To the menu" });
    expect(await onward.getAttribute("href")).toBe("https://menu.example/today?a=1");
    await page.getByRole("button", { name: "Answer again" }).click();
    await heading(page, "How was lunch?");
    expect(opened.troubles).toEqual([]);
  });

test("without own texts it has the survey's name and description, also before the script runs", async () => {
  for (const javaScriptEnabled of [false, true]) {
    await using opened = await openContext(browser, { javaScriptEnabled });
    const page = await openPage(opened.context, stand.url("plain"));
    await heading(page, "A survey");
    await page.getByText("About the canteen").waitFor();
    const start = page.getByRole("button", { name: "Start" });
    if (javaScriptEnabled) await start.waitFor();
    else expect(await start.count()).toBe(0);
    expect(await page.getByText("Which dish?").count()).toBe(0);
  }
});

test("it comes after the password, and not where somebody has answered, on this device or another", async () => {
  await using opened = await openContext(browser);
  const page = await openPage(opened.context, stand.url("secret"));
  expect(await page.content()).not.toContain(welcome.title);
  await page.getByLabel("Password").fill("sesame");
  await page.getByRole("button").click();
  await heading(page, welcome.title);

  const one = await openPage(opened.context, stand.url("personal"));
  await one.getByRole("button", { name: "Let's go" }).click();
  await one.locator("main").getByRole("textbox").fill("Soup");
  stand.state.refused = stand.surveys["personal"]!.definition.pages[0]!.elements[0]!.elementId;
  await goOn(one);
  await one.locator("#problems").waitFor();
  stand.state.refused = "";
  await using other = await openContext(browser);
  const fresh = await openPage(other.context, stand.url("personal"));
  await heading(fresh, welcome.title);
  const [respondent] = [...stand.respondents.values()].filter(({ code }) => code === "personal");
  respondent!.answers.set(stand.surveys["personal"]!.definition.pages[0]!.elements[0]!.elementId, "Soup");
  await fresh.reload();
  await heading(fresh, "Food");
  await using third = await openContext(browser);
  await heading(await openPage(third.context, stand.url("personal")), "Food");
});

test("a closed survey shows why instead", async () => {
  await using opened = await openContext(browser);
  const page = await openPage(opened.context, stand.url("closed"));
  await page.getByText("Later.").waitFor();
  expect(await page.content()).not.toContain(welcome.title);
});

test("a long page starts at its top", async () => {
  await using opened = await openContext(browser, phone);
  const page = await openPage(opened.context, stand.url("long"));
  await page.getByRole("button", { name: "Let's go" }).click();
  await waitForFocus(page, page.locator("#questions"));
  expect(await page.evaluate(() => scrollY)).toBe(0);
});
