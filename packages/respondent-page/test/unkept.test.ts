import { openBrowser, openContext, openPage } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const saved = (page: Page) => page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
const field = (page: Page) => page.locator("main").getByRole("textbox").first();
const at = (page: Page, title: string) => page.getByRole("heading", { name: title, exact: true }).waitFor();
const draft = (page: Page, code: string) =>
  page.evaluate((name) => {
    const { draft } = JSON.parse(localStorage.getItem(name) ?? "{}") as { draft?: Record<string, unknown> };
    return Object.values(draft ?? {});
  }, `canvass:${code}`);

describe("an answer whose save is not stored yet", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    const definition = () => ({
      pages: ["One", "Two"].map((title) => pageOf(questionsOf({ type: "long_text", text: `${title}?` }), { title })),
    });
    const codes = ["turn", "hangs", "full", "filled", "fine", "left", "sent", "earlier"];
    stand = await startStandIn(Object.fromEntries(codes.map((code) => [code, { definition: definition() }])));
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const answers = (code: string) =>
    [...stand.respondents.values()].filter((each) => each.code === code).map((each) => [...each.answers.values()]);

  async function answerOne(page: Page): Promise<void> {
    await at(page, "One");
    await field(page).fill("typed with care");
  }

  test("is not changed while the last page is sent, by the browser's Back or after a reload", async () => {
    await using opened = await openContext(browser);
    await opened.context.addInitScript(() => {
      const real = fetch;
      const isLost = (address: unknown) =>
        typeof address === "string" && address.endsWith("/answers") && localStorage.getItem("lost") !== null;
      globalThis.fetch = (address, init) => (isLost(address) ? Promise.reject(new Error("lost")) : real(address, init));
    });
    const page = await openPage(opened.context, stand.url("sent"));
    await answerOne(page);
    await goOn(page);
    await at(page, "Two");
    await saved(page);
    await field(page).fill("the last word");
    await page.evaluate(() => localStorage.setItem("lost", ""));
    await goOn(page);
    const isFixed = async () => {
      await page.getByText("No connection.").waitFor();
      await at(page, "Two");
      expect(await field(page).isEditable()).toBe(false);
    };
    await isFixed();
    await page.goBack();
    await isFixed();
    await page.reload();
    await isFixed();
    await page.evaluate(() => {
      localStorage.removeItem("lost");
      dispatchEvent(new Event("online"));
    });
    await page.getByText("Your answers have been saved.").waitFor();
    expect(answers("sent")).toEqual([["typed with care", "the last word"]]);
  });

  test("keeps the survey open when it is refused before the last page, which waits behind it, is sent", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("earlier"));
    await answerOne(page);
    await opened.context.setOffline(true);
    await goOn(page);
    await at(page, "Two");
    await field(page).fill("the last word");
    await goOn(page);
    await page.getByText("No connection.").waitFor();
    stand.state.refused = stand.surveys["earlier"]!.definition.pages[0]!.elements[0]!.elementId;
    await opened.context.setOffline(false);
    await at(page, "One");
    await expect.poll(() => answers("earlier")).toEqual([["the last word"]]);
    stand.state.refused = "";
    await field(page).fill("corrected");
    await goOn(page);
    await at(page, "Two");
    await goOn(page);
    await page.getByText("Your answers have been saved.").waitFor();
    expect(answers("earlier")).toEqual([["the last word", "corrected"]]);
  });

  test("stays in the draft until the queue has it", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("turn"));
    await answerOne(page);
    const inThatTurn = await page.evaluate(() => {
      document.querySelector<HTMLElement>("nav .main")!.click();
      return localStorage.getItem("canvass:turn");
    });
    expect(inThatTurn).toContain("typed with care");
    await saved(page);
    expect(await draft(page, "turn")).toEqual([]);
  });

  test("outlives a reload while IndexedDB hangs", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("hangs"));
    await at(page, "One");
    await page.evaluate(() => {
      // A request that stores nothing and is never answered.
      IDBObjectStore.prototype.add = function () {
        return Object.assign(this.getKey(0) as IDBRequest<IDBValidKey>, { addEventListener: () => undefined });
      };
    });
    await answerOne(page);
    await goOn(page);
    await page.reload();
    await at(page, "One");
    expect(await field(page).inputValue()).toBe("typed with care");
    await goOn(page);
    await saved(page);
    expect(answers("hangs")).toEqual([["typed with care"]]);
  });

  test("outlives a reload while IndexedDB is full and the server away, and is sent with the page that is open then", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("full"));
    await at(page, "One");
    await page.evaluate(() => {
      IDBObjectStore.prototype.add = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    stand.state.isAway = true;
    await answerOne(page);
    await goOn(page);
    await at(page, "Two");
    stand.state.isAway = false;
    await page.reload();
    await at(page, "Two");
    await field(page).fill("more");
    await goOn(page);
    await page.getByText("Thank you!").waitFor();
    expect(answers("full")).toEqual([["typed with care", "more"]]);
  });

  test("is sent before the next page's, which finds IndexedDB full", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("filled"));
    await field(page).waitFor();
    stand.state.isAway = true;
    await answerOne(page);
    await goOn(page);
    await at(page, "Two");
    await page.evaluate(() => {
      IDBObjectStore.prototype.add = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    });
    await field(page).fill("more");
    await goOn(page);
    stand.state.isAway = false;
    await page.getByText("Thank you!").waitFor();
    expect(answers("filled")).toEqual([["typed with care", "more"]]);
    const kept = await page.evaluate(async () => {
      const opening = indexedDB.open("canvass-answers");
      const database = await new Promise<IDBDatabase>((resolve) => (opening.onsuccess = () => resolve(opening.result)));
      const counting = database.transaction("saves").objectStore("saves").count();
      return new Promise<number>((resolve) => (counting.onsuccess = () => resolve(counting.result)));
    });
    expect(kept).toBe(0);
  });

  test("leaves the draft once the server has it where the queue is in memory only", async () => {
    await using opened = await openContext(browser);
    await opened.context.addInitScript(() => Object.defineProperty(window, "indexedDB", { value: undefined }));
    const page = await openPage(opened.context, stand.url("fine"));
    await answerOne(page);
    stand.state.isAway = true;
    await goOn(page);
    await at(page, "Two");
    expect(await draft(page, "fine")).toEqual(["typed with care"]);
    stand.state.isAway = false;
    await saved(page);
    expect(await draft(page, "fine")).toEqual([]);
    expect(answers("fine")).toEqual([["typed with care"]]);
  });

  test("is not sent for the next respondent of the device", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("left"));
    await answerOne(page);
    await goOn(page);
    await at(page, "Two");
    await goOn(page);
    await page.getByText("Thank you!").waitFor();
    const { elementId } = stand.surveys["left"]!.definition.pages[0]!.elements[0]!;
    const responses = [{ elementId, value: "left behind" }];
    await page.evaluate(
      async (left) => {
        const opening = indexedDB.open("canvass-answers");
        const database = await new Promise<IDBDatabase>(
          (resolve) => (opening.onsuccess = () => resolve(opening.result)),
        );
        const adding = database.transaction("saves", "readwrite").objectStore("saves").add(left);
        await new Promise((resolve) => (adding.onsuccess = resolve));
        database.close();
      },
      { code: "left", key: "left", body: { responses, pageId: null, metadata: { complete: false, language: "en" } } },
    );
    await page.getByRole("button", { name: "Answer again" }).click();
    await at(page, "One");
    expect(await field(page).inputValue()).toBe("");
    await field(page).fill("of the next");
    await goOn(page);
    await saved(page);
    expect(answers("left")).toEqual([["typed with care"], ["of the next"]]);
  });
});
