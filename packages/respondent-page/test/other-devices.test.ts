import type { SurveyDefinition } from "@canvass/questions";
import { waitFor } from "@canvass/testing";
import { openBrowser, openContext, openPage, phone } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const threePages = (): SurveyDefinition => ({
  pages: [
    pageOf(questionsOf({ type: "short_text", text: "Name", required: true }), { title: "One" }),
    pageOf(questionsOf({ type: "short_text", text: "Remark" }), { title: "Two" }),
    pageOf(questionsOf({ type: "short_text", text: "Goodbye" }), { title: "Three" }),
  ],
});

describe("a link on two devices", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    const personal = ["later", "both", "fresh", "ends"].map((code) => [
      code,
      { definition: threePages(), isPersonal: true },
    ]);
    stand = await startStandIn({
      ...Object.fromEntries(personal),
      secret: { definition: threePages(), isPersonal: true, password: "sesame" },
      shared: { definition: threePages() },
    });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const at = (page: Page, title: string) => page.getByRole("heading", { name: title, exact: true }).waitFor();
  const field = (page: Page) => page.locator("main").getByRole("textbox").first();
  const saved = (page: Page) => page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
  const changed = (page: Page) => page.getByText("changed on another device").waitFor();

  /** Waits until the server has an answer. The page may still say "Saved" of an earlier save. */
  const stored = (text: string) =>
    waitFor(() => [...stand.respondents.values()].some(({ answers }) => [...answers.values()].includes(text)), {
      describe: `the answer ${text}`,
    });

  async function answer(page: Page, text: string, next: string): Promise<void> {
    await field(page).fill(text);
    await goOn(page);
    await at(page, next);
    await stored(text);
    await saved(page);
  }

  /** Opens the link on the first device; `openSecond` opens it on the second. */
  async function devices(code: string) {
    await using opening = new AsyncDisposableStack();
    const contexts = [opening.use(await openContext(browser)), opening.use(await openContext(browser, phone))] as const;
    const open = (device: 0 | 1) => openPage(contexts[device].context, stand.url(code));
    const first = await open(0);
    await field(first).waitFor();
    const opened = opening.move();
    return { first, openSecond: () => open(1), [Symbol.asyncDispose]: () => opened.disposeAsync() };
  }

  /** The current answers of each respondent of the code. */
  const answersOf = (code: string) =>
    [...stand.respondents.values()].filter((each) => each.code === code).map(({ answers }) => [...answers.values()]);

  test("a personal link continues at the current page, with the answers shown", async () => {
    await using both = await devices("later");
    await answer(both.first, "Ann", "Two");
    await answer(both.first, "so so", "Three");
    const second = await both.openSecond();
    await at(second, "Three");
    await second.getByRole("button", { name: "Back" }).click();
    await at(second, "Two");
    expect(await field(second).inputValue()).toBe("so so");
    await second.reload();
    await at(second, "Two");
    await goOn(second);
    await at(second, "Three");
    await goOn(second);
    await second.getByText("Thank you!").waitFor();
    expect(answersOf("later")).toEqual([["Ann", "so so"]]);
  });

  test("of two devices the later save of a page wins, and the other one shows it with a message", async () => {
    await using both = await devices("both");
    await answer(both.first, "Ann", "Two");
    const second = await both.openSecond();
    await at(second, "Two");
    await answer(both.first, "from the first", "Three");
    await field(second).fill("from the second");
    await goOn(second);
    await at(second, "Three");
    await stored("from the second");
    await saved(second);
    await field(both.first).fill("bye");
    await both.first.getByRole("button", { name: "Back" }).click();
    await changed(both.first);
    expect(await field(both.first).inputValue()).toBe("from the second");
    await field(both.first).fill("from the first again");
    await goOn(both.first);
    await at(both.first, "Three");
    await stored("from the first again");
    await saved(both.first);
    expect(answersOf("both")).toEqual([["Ann", "from the first again", "bye"]]);
    expect(await both.first.getByText("changed on another device").count()).toBe(0);
  });

  test("a device that opened the link before the other one started gets the other's answers", async () => {
    await using both = await devices("fresh");
    const second = await both.openSecond();
    await at(second, "One");
    await answer(both.first, "Ann", "Two");
    await answer(both.first, "so so", "Three");
    await field(second).fill("Ben");
    await goOn(second);
    await changed(second);
    await at(second, "Two");
    expect(await field(second).inputValue()).toBe("so so");
    expect(answersOf("fresh")).toEqual([["Ben", "so so"]]);
  });

  test("once one device has sent the last page, the other ends, too", async () => {
    await using both = await devices("ends");
    await answer(both.first, "Ann", "Two");
    const second = await both.openSecond();
    await at(second, "Two");
    await goOn(both.first);
    await at(both.first, "Three");
    await goOn(both.first);
    await both.first.getByText("Thank you!").waitFor();
    await field(second).fill("too late");
    await goOn(second);
    await second.getByText("Thank you!").waitFor();
    await second.getByText("You have answered this survey already.").waitFor();
    expect(answersOf("ends")).toEqual([["Ann"]]);
  });

  test("with a password the answers are shown after it, and a link for everybody shows none", async () => {
    await using secret = await devices("secret");
    const enter = async (page: Page) => {
      await page.getByLabel("Password").fill("sesame");
      await page.getByRole("button", { name: "Open the survey" }).click();
    };
    await enter(secret.first);
    await at(secret.first, "One");
    await answer(secret.first, "Ann", "Two");
    const second = await secret.openSecond();
    await second.getByLabel("Password").waitFor();
    expect(await second.getByText("Ann").count()).toBe(0);
    await enter(second);
    await at(second, "Two");
    await using shared = await devices("shared");
    await answer(shared.first, "Ann", "Two");
    const other = await shared.openSecond();
    await at(other, "One");
    expect(await field(other).inputValue()).toBe("");
  });
});
