import { openBrowser, openContext, openPage, phone, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

/** What browsers do with parts of theirs, each run in the page before its own script. */
const browsers = {
  "throws at every part": () => {
    const denied = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
    for (const part of ["localStorage", "sessionStorage", "indexedDB", "caches"])
      Object.defineProperty(window, part, { get: denied });
    Object.defineProperty(window, "BroadcastChannel", { value: denied });
    Object.defineProperty(navigator, "locks", { get: denied });
    Object.defineProperty(crypto, "getRandomValues", { value: denied });
    for (const name of ["pushState", "replaceState"]) Object.defineProperty(history, name, { value: denied });
  },
  "refuses each use": () => {
    const refuse = () => Promise.reject(new DOMException("denied", "SecurityError"));
    if (isSecureContext) LockManager.prototype.request = refuse;
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    IDBFactory.prototype.open = () => {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
  },
  "has none of the parts": () => {
    for (const part of ["localStorage", "sessionStorage", "indexedDB", "BroadcastChannel"])
      Object.defineProperty(window, part, { value: undefined });
    Object.defineProperty(navigator, "locks", { value: undefined });
  },
  "never answers": () => {
    const silence = () => new Promise<never>(() => undefined);
    if (isSecureContext) LockManager.prototype.request = silence;
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
  },
  "stops answering under way": () => {
    const add = Reflect.get(IDBObjectStore.prototype, "add") as (...saved: unknown[]) => IDBRequest<IDBValidKey>;
    IDBObjectStore.prototype.add = function (...saved) {
      return Object.assign(add.apply(this, saved), { addEventListener: () => undefined });
    };
  },
};
type Way = keyof typeof browsers;

const unkept = "Do not close or reload the page";
const field = (page: Page) => page.locator("main").getByRole("textbox").first();
const at = (page: Page, title: string) => page.getByRole("heading", { name: title, exact: true }).waitFor();

describe("a browser that denies the page its parts", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    const definition = () => ({
      pages: ["One", "Two"].map((title) => pageOf(questionsOf({ type: "short_text", text: `${title}?` }), { title })),
    });
    const codes = [...Object.keys(browsers), "fine", "framed"];
    stand = await startStandIn(Object.fromEntries(codes.map((code) => [code, { definition: definition() }])));
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const answers = (code: string) =>
    [...stand.respondents.values()]
      .filter((each) => each.code === code)
      .map(({ status, answers }) => [status, ...answers.values()]);

  async function answer(page: Page): Promise<void> {
    await at(page, "One");
    await field(page).fill("first");
    await goOn(page);
    await at(page, "Two");
    await field(page).fill("second");
    await goOn(page);
    await page.getByText("Thank you!").waitFor();
  }

  test.each(Object.keys(browsers) as Way[])("that %s sends all answers", async (way) => {
    await using opened = await openContext(browser, phone);
    await opened.context.addInitScript(browsers[way]);
    const page = await openPage(opened.context, stand.url(encodeURIComponent(way)));
    await at(page, "One");
    expect(await page.getByText(unkept).count()).toBe(way === "stops answering under way" ? 0 : 1);
    await answer(page);
    expect(answers(way)).toEqual([["completed", "first", "second"]]);
    expect(opened.troubles).toEqual([]);
  });

  test("that keeps what is typed shows no warning about loss", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("fine"));
    await at(page, "One");
    expect(await page.getByText(unkept).count()).toBe(0);
    await answer(page);
  });

  test("is asked to keep the page open when the connection is lost and nothing is stored locally", async () => {
    await using opened = await openContext(browser);
    await opened.context.addInitScript(browsers["has none of the parts"]);
    const page = await openPage(opened.context, stand.url("fine"));
    await at(page, "One");
    expect(await seriousFindings(page)).toEqual([]);
    await field(page).fill("first");
    await opened.context.setOffline(true);
    await goOn(page);
    await page.getByRole("status").filter({ hasText: "Please keep this page open until then." }).waitFor();
    await opened.context.setOffline(false);
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
    // Without storage a reload starts another respondent, on the first page.
    await page.reload();
    await page.locator("nav .main").waitFor();
    expect(await page.getByRole("heading", { level: 2 }).allTextContents()).toEqual(["One"]);
  });

  test("that gives a frame no origin says so instead of the questions, and leads to the page alone", async () => {
    await using opened = await openContext(browser, phone);
    stand.surveys["framed"]!.allowedOrigins = [stand.address];
    const page = await openPage(opened.context, `${stand.address}/around`);
    await page.evaluate((src) => {
      const frame = document.createElement("iframe");
      frame.setAttribute("sandbox", "allow-scripts allow-popups");
      document.body.append(Object.assign(frame, { src }));
    }, stand.url("framed"));
    const inside = page.frameLocator("iframe");
    await inside.getByText("does not work inside this page").waitFor();
    expect(await inside.getByRole("link").getAttribute("href")).toBe(stand.url("framed"));
  });
});
