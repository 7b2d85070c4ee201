import { openBrowser, openContext, openPage, phone } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitForFocus, goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const inputs = [
  { type: "short_text", text: "Name", required: true },
  { type: "multiple_choice", text: "Drink", choices: ["Tea", "Coffee"], typeSettings: { other: { enabled: true } } },
  { type: "rating", text: "Mood", typeSettings: { style: "smiley" } },
  { type: "long_text", text: "Remark" },
];

/** Four pages of one question each; only the first answer is required. */
function pages() {
  return { pages: inputs.map((input) => pageOf(questionsOf(input), { title: `Page of ${input.text}` })) };
}

const reach = {
  pages: [
    pageOf(
      questionsOf({
        type: "contact_info",
        text: "How do we reach you?",
        required: true,
      }),
    ),
  ],
};

const advancing = { navigation: { autoAdvance: true, showPrevious: true } };

describe("a respondent who is disturbed", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    const codes = ["typing", "full", "busy", "cleared", "twice", "keys", "lost", "private", "ended"];
    stand = await startStandIn({
      ...Object.fromEntries(codes.map((code) => [code, { definition: pages() }])),
      drafts: { definition: { pages: [pageOf(questionsOf(...inputs.slice(0, 1), ...inputs.slice(3)))] } },
      saving: { definition: { pages: [pageOf(questionsOf(inputs[0]!)), ...reach.pages] } },
      known: { definition: pages(), isPersonal: true },
      once: { definition: pages(), isSingleUse: true },
      locked: { definition: pages(), password: "open sesame" },
      advance: { definition: pages(), settings: advancing },
      redirect: { definition: reach, settings: { completion: { redirectUrl: "https://shop.example/thanks?a=1" } } },
      back: { definition: reach, settings: { completion: { redirectUrl: "https://shop.example/thanks" } } },
    });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const on = (page: Page, text: string) =>
    page.getByRole("heading", { name: `Page of ${text}`, exact: true }).waitFor();
  const field = (page: Page) => page.locator("main").getByRole("textbox").first();
  const thanks = (page: Page) => page.getByText("Thank you!").waitFor();
  const press = (page: Page, text: string) => page.getByText(text, { exact: true }).click();
  const calls = (code: string) => stand.calls.filter((call) => call.includes(`/${code}/`)).length;
  const answers = (code: string) =>
    [...stand.respondents.values()].filter((each) => each.code === code).map((each) => [...each.answers.values()]);

  test("keeps typed text when the link is paused, and sends it when it is resumed", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("typing"));
    await field(page).fill("Ann");
    await goOn(page);
    await on(page, "Drink");
    await press(page, "Other");
    await field(page).fill("Cocoa");
    stand.surveys["typing"]!.closed = { reason: "link_paused", message: null };
    await goOn(page);
    const stopped = page.getByRole("alert").filter({ hasText: "not taking answers" });
    await waitForFocus(page, stopped);
    await page.goBack();
    await on(page, "Drink");
    expect(await field(page).inputValue()).toBe("Cocoa");
    stand.surveys["typing"]!.closed = null;
    // As when the page is looked at again.
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
    await stopped.waitFor({ state: "detached" });
    expect(answers("typing")).toMatchObject([["Ann", { otherText: "Cocoa" }]]);
  });

  test("is told that a survey has all its answers, and sends them again only by the button", async () => {
    await using opened = await openContext(browser);
    stand.surveys["full"]!.isFull = true;
    const page = await openPage(opened.context, stand.url("full"));
    await field(page).fill("Bo");
    await goOn(page);
    await page.getByText("has received all the answers").waitFor();
    const asked = calls("full");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => calls("full")).toBe(asked + 1);
    stand.surveys["full"]!.isFull = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
    expect(answers("full")).toEqual([["Bo"]]);
  });

  test("goes on after a reload of a link that takes one answer, and unsent answers are sent", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("once"));
    await field(page).fill("Eva");
    await goOn(page);
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
    await press(page, "Tea");
    stand.state.isAway = true;
    await goOn(page);
    await page.getByText("The survey is very busy.").waitFor();
    stand.state.isAway = false;
    await page.reload();
    await on(page, "Mood");
    await expect.poll(() => answers("once")).toMatchObject([["Eva", {}]]);
    await using stranger = await openContext(browser);
    const other = await openPage(stranger.context, stand.url("once"));
    await other.getByText("This link takes one answer").waitFor();
  });

  test("is asked to wait by a busy server, and its answers are sent afterwards", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("busy"));
    await field(page).fill("Cy");
    stand.state.isBusy = true;
    await goOn(page);
    await page.getByText("The survey is very busy.").waitFor();
    stand.state.isBusy = false;
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
    expect(answers("busy")).toEqual([["Cy"]]);
  });

  test("keeps an address that is being typed while the page before is saved", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("saving"));
    await field(page).fill("Ada");
    stand.state.isAway = true;
    await goOn(page);
    await page.getByText("The survey is very busy.").waitFor();
    await page.getByLabel("E-mail").fill("ada@exam");
    stand.state.isAway = false;
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
    expect(await page.getByLabel("E-mail").inputValue()).toBe("ada@exam");
  });

  test("continues as the same respondent when the browser's storage is cleared", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("cleared"));
    await field(page).fill("Di");
    await goOn(page);
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
    const browserSide = await opened.context.newCDPSession(page);
    await browserSide.send("Storage.clearDataForOrigin", { origin: stand.address, storageTypes: "all" });
    await press(page, "Tea");
    await goOn(page);
    await on(page, "Mood");
    await goOn(page);
    await on(page, "Remark");
    await goOn(page);
    await thanks(page);
    expect(answers("cleared")).toMatchObject([["Di", expect.any(String)]]);
  });

  test("keeps all that was typed when the session is of no use any more, and sends it with another one", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("lost"));
    await field(page).fill("Ida");
    await goOn(page);
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
    const [first] = [...stand.respondents.values()].filter(({ code }) => code === "lost");
    first!.token = "another";
    await press(page, "Other");
    await field(page).fill("Cocoa");
    await goOn(page);
    await on(page, "Name");
    expect(await field(page).inputValue()).toBe("Ida");
    await goOn(page);
    await on(page, "Drink");
    expect(await field(page).inputValue()).toBe("Cocoa");
    await goOn(page);
    await on(page, "Mood");
    await goOn(page);
    await on(page, "Remark");
    await goOn(page);
    await thanks(page);
    expect(answers("lost")).toMatchObject([["Ida"], ["Ida", { otherText: "Cocoa" }]]);
  });

  test.each(["private", "known", "locked"])(
    "starts again with all that was typed when %s becomes anonymous",
    async (code) => {
      await using opened = await openContext(browser);
      const page = await openPage(opened.context, stand.url(code));
      const enter = async () => {
        if (code !== "locked") return;
        await page.locator("#password").fill("open sesame");
        await page.getByRole("button", { name: "Open the survey" }).click();
      };
      await enter();
      await on(page, "Name");
      await field(page).fill("Kim");
      await goOn(page);
      await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
      for (const each of stand.respondents.values()) if (each.code === code) each.hasToStartAgain = true;
      await press(page, "Other");
      await field(page).fill("Cocoa");
      await goOn(page);
      await enter();
      await on(page, "Name");
      expect(await field(page).inputValue()).toBe("Kim");
      await goOn(page);
      await on(page, "Drink");
      expect(await field(page).inputValue()).toBe("Cocoa");
      await goOn(page);
      await on(page, "Mood");
      await goOn(page);
      await on(page, "Remark");
      await goOn(page);
      await thanks(page);
      expect(answers(code)).toMatchObject([["Kim"], ["Kim", { otherText: "Cocoa" }]]);
    },
  );

  test("keeps typed text in each of two tabs", async () => {
    await using opened = await openContext(browser);
    const [one, two] = [
      await openPage(opened.context, stand.url("drafts")),
      await openPage(opened.context, stand.url("drafts")),
    ];
    await one.locator("main input").first().fill("Jo");
    await two.locator("main textarea").first().fill("from two");
    // A draft is kept when its field is left.
    await one.locator("main input").first().blur();
    await two.locator("main textarea").first().blur();
    await one.reload();
    await expect.poll(() => one.locator("main textarea").first().inputValue()).toBe("from two");
    expect(await one.locator("main input").first().inputValue()).toBe("Jo");
    await goOn(one);
    await thanks(one);
    expect(answers("drafts")).toEqual([["Jo", "from two"]]);
  });

  test("leaves a page once with a double click", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("twice"));
    const before = calls("twice");
    await field(page).fill("Ed");
    await page.locator("nav .main").dblclick();
    await on(page, "Drink");
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
    // A start and a save.
    expect(calls("twice")).toBe(before + 2);
    await page.goBack();
    await on(page, "Name");
  });

  test("continues automatically when a question is answered by a press, but not by keys", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("advance"));
    await field(page).fill("Flo");
    await page.keyboard.press("Enter");
    await on(page, "Drink");
    await page.locator("input[type=radio]").first().focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await on(page, "Drink");
    await press(page, "Tea");
    await on(page, "Mood");
    await page.locator("label:has(input[type=radio])").nth(3).click();
    await on(page, "Remark");
    await page.getByRole("button", { name: "Back" }).click();
    await on(page, "Mood");
    expect(await page.locator("input[type=radio]").nth(3).isChecked()).toBe(true);
  });

  test("answers by the keyboard alone, with a focus that is seen", async () => {
    await using opened = await openContext(browser, { reducedMotion: "reduce" });
    const page = await openPage(opened.context, stand.url("keys"));
    await on(page, "Name");
    const tabTo = async (selector: string) => {
      for (let presses = 0; presses < 20; presses++) {
        await page.keyboard.press("Tab");
        if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
      }
      throw new Error(`Tab does not reach ${selector}`);
    };
    const outlines = () =>
      page.evaluate(() => {
        const around = [document.activeElement!, document.activeElement!.closest("label")].filter(
          (each) => each !== null,
        );
        return around.some((each) => {
          const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
          return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2) || boxShadow.includes("2px");
        });
      });
    await tabTo("input.sd-text");
    expect(await outlines()).toBe(true);
    await page.keyboard.press("Enter");
    await waitForFocus(page, page.locator("#problems"));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await waitForFocus(page, field(page));
    await page.keyboard.type("Gil");
    await page.keyboard.press("Enter");
    await on(page, "Drink");
    await tabTo("input[type=radio]");
    expect(await outlines()).toBe(true);
    await page.keyboard.press("Space");
    await tabTo("nav .main");
    expect(await outlines()).toBe(true);
    await page.keyboard.press("Enter");
    await on(page, "Mood");
    await tabTo("input[type=radio]");
    await page.keyboard.press("ArrowRight");
    expect(await outlines()).toBe(true);
    await tabTo("nav .main");
    await page.keyboard.press("Enter");
    await on(page, "Remark");
    await tabTo("textarea");
    await page.keyboard.type("Two");
    await page.keyboard.press("Enter");
    await page.keyboard.type("lines");
    await tabTo("nav .main");
    await page.keyboard.press("Space");
    await thanks(page);
    expect(answers("keys")).toEqual([["Gil", expect.any(String), expect.any(Number), "Two\nlines"]]);
  });

  test("is shown the violations of a group of fields, and is redirected at the end", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("redirect"));
    await goOn(page);
    await page.locator("#problems").getByRole("link", { name: "How do we reach you?" }).click();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("autocomplete"));
    await expect.poll(focused).toBe("given-name");
    await page.getByLabel("E-mail").fill("ann@example.com");
    await goOn(page);
    await page.waitForURL("https://shop.example/thanks?a=1");
    await page.goto(stand.url("redirect"));
    await page.getByText("You have answered this survey already.").waitFor();
  });

  test("leaves the survey with one press of Back after its end, and starting over begins on the first page", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("busy"));
    await page.goto(stand.url("ended"));
    const entries = await page.evaluate(() => history.length);
    const answer = async () => {
      await field(page).fill("Hal");
      for (const title of ["Drink", "Mood", "Remark"]) {
        await goOn(page);
        await on(page, title);
      }
      await goOn(page);
      await thanks(page);
      await expect.poll(() => page.evaluate(() => history.state as unknown)).toBe(null);
    };
    await answer();
    await page.getByRole("button", { name: "Answer again" }).click();
    await on(page, "Name");
    await answer();
    expect(answers("ended")).toHaveLength(2);
    expect(await page.evaluate(() => history.length)).toBe(entries + 3);
    await page.goBack();
    await page.waitForURL(stand.url("busy"));
  });

  test("finds the end, not the last page, where the browser leads back to a page that it has kept whole", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("back"));
    // A response without content leads nowhere, so the page stays like one that comes back.
    const left = Promise.withResolvers<void>();
    await page.route("https://shop.example/**", async (route) => {
      await route.fulfill({ status: 204 });
      left.resolve();
    });
    await page.getByLabel("E-mail").fill("ann@example.com");
    await goOn(page);
    await left.promise;
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await page.getByText("You have answered this survey already.").waitFor();
    expect(await page.locator("nav").count()).toBe(0);
  });
});
