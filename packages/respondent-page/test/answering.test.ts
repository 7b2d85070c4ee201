import { missingRequired, type SurveyDefinition } from "@canvass/questions";
import { openBrowser, openContext, openPage, phone, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitForFocus, goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn, type StandInSurvey } from "./stand-in.ts";

const hostile = `{q1} <img src=x onerror="alert(1)"><script>alert(2)</script> =alert(3)`;

/** Three pages: a name, a remark, and a phone number. */
function threePages(): SurveyDefinition {
  return {
    pages: [
      pageOf(questionsOf({ type: "short_text", text: "Name", required: true }), { title: "One" }),
      pageOf(questionsOf({ type: "long_text", text: "Remark" }), { title: "Two" }),
      pageOf(questionsOf({ type: "short_text", text: "Phone", typeSettings: { format: "phone" } }), { title: "Three" }),
    ],
  };
}

/** A page in English with a choice, translated into Arabic and in part into German, and one that is not translated. */
function translated(): StandInSurvey {
  const [name, drink] = questionsOf(
    { type: "short_text", text: "Name" },
    { type: "dropdown", text: "Drink", choices: ["Tea", "Water"] },
  );
  const [tea, water] = drink!.choices!;
  const must = { elementId: name!.elementId, operator: "not_equals" as const, value: "?" };
  const into = (texts: Record<string, string>) =>
    Object.fromEntries(Object.entries(texts).map(([place, text]) => [place, { text, source: "" }]));
  const page = pageOf([
    {
      ...name!,
      logic: { constraints: [{ must, message: "A name, please." }] },
      translations: {
        ar: into({ text: "الاسم", "constraints.0.message": "اكتب اسمك." }),
        de: into({ text: "Ihr Name" }),
      },
    },
    {
      ...drink!,
      translations: {
        ar: into({ text: "المشروب", [`choices.${tea!.id}`]: "شاي", [`choices.${water!.id}`]: "ماء" }),
      },
    },
  ]);
  const translations = { ar: into({ title: "الغداء" }) };
  return {
    name: "Lunch",
    definition: { pages: [{ ...page, title: "Food", translations }, threePages().pages[1]!] },
    settings: { locale: { languages: ["ar", "de"], showSwitch: true } },
    texts: { ar: { name: "وجبة", buttonNext: "إلى الأمام" } },
  };
}

/** A loop over what was bought, unless "Nothing" was chosen on the first page. */
function loopWithSkip(): SurveyDefinition {
  const [bought] = questionsOf({
    type: "multiple_choice",
    text: "Bought",
    multipleAnswers: true,
    choices: ["Coffee", "Cake", "Nothing"],
  });
  const last = pageOf(questionsOf({ type: "short_text", text: "Goodbye" }));
  const when = { elementId: bought!.elementId, operator: "contains" as const, value: bought!.choices![2]!.id };
  return {
    pages: [
      pageOf([bought!], { skipLogic: [{ when, goTo: last.pageId }] }),
      pageOf(questionsOf({ type: "short_text", text: "How was it?" }), {
        title: "Taste",
        loop: { elementId: bought!.elementId },
      }),
      last,
    ],
  };
}

const hostileSurvey = (): StandInSurvey => ({
  name: hostile,
  description: hostile,
  definition: {
    pages: [
      pageOf(
        questionsOf(
          { type: "statement", text: hostile, typeSettings: { text: hostile } },
          { type: "short_text", text: hostile, helpText: hostile },
          {
            type: "multiple_choice",
            text: hostile,
            choices: [hostile, "b"],
            typeSettings: { other: { enabled: true } },
          },
          { type: "matrix", text: hostile, rows: [hostile], columns: [hostile, "c"] },
          { type: "rating", text: hostile, typeSettings: { labels: { 1: hostile } } },
          { type: "consent", text: hostile, typeSettings: { text: hostile } },
          { type: "short_text", text: "Code", typeSettings: { pattern: "^(a+)+$" } },
        ),
        { title: hostile },
      ),
    ],
  },
});

/** Counts saves that the page has not sent. */
function unsent(): Promise<number> {
  const opening = indexedDB.open("canvass-answers");
  return new Promise((resolve) => {
    opening.onsuccess = () => {
      const counting = opening.result.transaction("saves").objectStore("saves").count();
      counting.onsuccess = () => {
        opening.result.close();
        resolve(counting.result);
      };
    };
  });
}

describe("the page of a link", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    const three = ["reload", "offline", "back", "close", "tabs", "refused", "away"];
    stand = await startStandIn({
      ...Object.fromEntries(three.map((code) => [code, { definition: threePages() }])),
      loop: { definition: loopWithSkip(), settings: { display: { theme: "contrast", progressStyle: "steps" } } },
      hostile: hostileSurvey(),
      arabic: {
        definition: threePages(),
        language: "ar",
        settings: { locale: { languages: ["en"], showSwitch: true } },
      },
      translated: translated(),
      emptied: translated(),
      raced: translated(),
      changed: translated(),
      unheard: translated(),
      hurried: translated(),
      returned: { definition: loopWithSkip() },
      ended: {
        definition: threePages(),
        settings: { completion: { message: "You won\na coffee." }, navigation: { buttonNext: "Onwards" } },
      },
      once: { definition: { pages: [threePages().pages[1]!] }, takesOne: true },
      closed: { definition: threePages(), closed: { reason: "link_paused", message: "Back on Monday." } },
    });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const begun = (code: string) => [...stand.respondents.values()].filter((each) => each.code === code);
  const saved = (page: Page) => page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
  const at = (page: Page, title: string) => page.getByRole("heading", { name: title, exact: true }).waitFor();
  const field = (page: Page) => page.locator("main").getByRole("textbox").first();
  const thanks = (page: Page) => page.getByText("Thank you!").waitFor();

  /** Of all respondents of a code: status, and answers in the survey's order. */
  function outcome(code: string) {
    const { definition } = stand.surveys[code]!;
    const elements = definition.pages.flatMap(({ elements }) => elements);
    return begun(code).map(({ status, answers }) => [status, ...elements.map((each) => answers.get(each.elementId))]);
  }

  test("starts no respondent before the first answers are saved, and continues after a reload", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("reload"));
    await at(page, "One");
    expect(begun("reload")).toEqual([]);
    await field(page).fill("Ann");
    await goOn(page);
    await at(page, "Two");
    await saved(page);
    await field(page).fill("half a rema");
    await page.reload();
    await at(page, "Two");
    expect(await field(page).inputValue()).toBe("half a rema");
    await field(page).fill("A remark");
    await goOn(page);
    await at(page, "Three");
    await goOn(page);
    await thanks(page);
    expect(outcome("reload")).toEqual([["completed", "Ann", "A remark", undefined]]);
    await page.reload();
    await page.getByText("You have answered this survey already.").waitFor();
    expect(opened.troubles).toEqual([]);
  });

  test("keeps answers without a connection, and sends each once when it is back", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("offline"));
    await field(page).fill("Bo");
    await opened.context.setOffline(true);
    await goOn(page);
    await at(page, "Two");
    await page.getByText("No connection.").waitFor();
    await field(page).fill("Written offline");
    await goOn(page);
    await at(page, "Three");
    await goOn(page);
    await page.getByText("No connection.").waitFor();
    expect(begun("offline")).toEqual([]);
    await opened.context.setOffline(false);
    await thanks(page);
    expect(outcome("offline")).toEqual([["completed", "Bo", "Written offline", undefined]]);
  });

  test("waits for a service that is away", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("away"));
    await field(page).fill("Cy");
    stand.state.isAway = true;
    await goOn(page);
    await page.getByText("The survey is very busy.").waitFor();
    stand.state.isAway = false;
    await saved(page);
    expect(outcome("away")).toEqual([["started", "Cy", undefined, undefined]]);
  });

  test("leads back with the browser's button, and with its own", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("back"));
    await field(page).fill("Di");
    await goOn(page);
    await at(page, "Two");
    await field(page).fill("first");
    await page.goBack();
    await at(page, "One");
    expect(await field(page).inputValue()).toBe("Di");
    await field(page).fill("Dina");
    await goOn(page);
    await at(page, "Two");
    expect(await field(page).inputValue()).toBe("first");
    await page.getByRole("button", { name: "Back" }).click();
    await at(page, "One");
    await page.goForward();
    await at(page, "Two");
    await goOn(page);
    await at(page, "Three");
    await goOn(page);
    await thanks(page);
    expect(outcome("back")).toEqual([["completed", "Dina", "first", undefined]]);
  });

  test("shows when the survey closes in the middle, and continues when it opens again", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("close"));
    await field(page).fill("Ed");
    await goOn(page);
    await saved(page);
    stand.surveys["close"]!.closed = { reason: "link_paused", message: "We pause for lunch." };
    await field(page).fill("kept");
    await goOn(page);
    await page.getByText("We pause for lunch.").waitFor();
    stand.surveys["close"]!.closed = null;
    await page.getByRole("button", { name: "Try again" }).click();
    await at(page, "Three");
    await goOn(page);
    await thanks(page);
    expect(outcome("close")).toEqual([["completed", "Ed", "kept", undefined]]);
  });

  test("is one respondent in two tabs", async () => {
    await using opened = await openContext(browser);
    const one = await openPage(opened.context, stand.url("tabs"));
    const two = await openPage(opened.context, stand.url("tabs"));
    // A tab hears of the others' answers once it is drawn.
    await field(two).waitFor();
    await field(one).fill("Flo");
    await goOn(one);
    await saved(one);
    await expect.poll(() => field(two).inputValue()).toBe("Flo");
    await goOn(two);
    await at(two, "Two");
    await field(two).fill("from two");
    await goOn(two);
    await at(two, "Three");
    await goOn(two);
    await Promise.all([thanks(one), thanks(two)]);
    expect(outcome("tabs")).toEqual([["completed", "Flo", "from two", undefined]]);
  });

  test("names every violation, takes the focus there, and shows what only the server refuses", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("refused"));
    await at(page, "One");
    await goOn(page);
    const summary = page.locator("#problems");
    await waitForFocus(page, summary);
    expect(await seriousFindings(page)).toEqual([]);
    await summary.getByRole("link", { name: "Name" }).click();
    await waitForFocus(page, field(page));
    stand.state.refused = stand.surveys["refused"]!.definition.pages[0]!.elements[0]!.elementId;
    await field(page).fill("Gil");
    await goOn(page);
    await summary.getByText("Please enter a phone number.").waitFor();
    await at(page, "One");
    stand.state.refused = "";
    await field(page).fill("Gila");
    await goOn(page);
    await at(page, "Two");
    await goOn(page);
    await at(page, "Three");
    await field(page).fill("not a number");
    await goOn(page);
    await summary.getByText("Please enter a phone number.").waitFor();
    await field(page).fill("+49 30 1234");
    await goOn(page);
    await thanks(page);
    expect(outcome("refused")).toEqual([["completed", "Gila", undefined, "+49 30 1234"]]);
  });

  test("follows loops and skip logic as the shared logic leads", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("loop"));
    expect(await seriousFindings(page)).toEqual([]);
    for (const name of ["Cake", "Coffee"]) await page.getByText(name, { exact: true }).click();
    await goOn(page);
    for (const name of ["Coffee", "Cake"]) {
      await at(page, `Taste – ${name}`);
      await field(page).fill(`${name} was good`);
      await goOn(page);
    }
    await page.getByRole("heading", { name: "Goodbye" }).waitFor();
    for (let back = 0; back < 3; back++) {
      await page.goBack();
      await page.locator(`main[aria-label="Page ${3 - back} of 4"]`).waitFor();
    }
    await page.getByText("Nothing", { exact: true }).click();
    await page.locator('main[aria-label="Page 1 of 2"]').waitFor();
    await goOn(page);
    await page.getByRole("heading", { name: "Goodbye" }).waitFor();
    await goOn(page);
    await thanks(page);
    const [respondent] = begun("loop");
    expect(respondent!.status).toBe("completed");
    expect(missingRequired(stand.surveys["loop"]!.definition, respondent!.answers).next().done).toBe(true);
    expect([...respondent!.answers.values()]).toContain("Cake was good");
  });

  test("shows hostile texts as texts", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("hostile"));
    await page.getByLabel("Code").waitFor();
    expect(await page.locator("h1, h2, h3").allInnerTexts()).toContain(hostile);
    expect(await page.locator("img, main script").count()).toBe(0);
    await page.getByLabel("Code").fill(`${"a".repeat(40)}!`);
    await goOn(page);
    await page.locator("#problems").waitFor();
    await page.getByLabel("Code").fill("aaa");
    await page.getByText("Other", { exact: true }).click();
    await page.locator("main textarea").first().fill(hostile);
    await goOn(page);
    await thanks(page);
    expect(opened.troubles).toEqual([]);
  });

  test("speaks the survey's language in its direction, and another when asked", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("arabic"));
    await page.getByRole("button", { name: "متابعة" }).waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe("rtl");
    await field(page).fill("Hala");
    await page.getByRole("combobox").selectOption("en");
    await page.getByRole("button", { name: "Continue" }).waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe("ltr");
    expect(await field(page).inputValue()).toBe("Hala");
  });

  test("changes every text with the language, in its direction, and keeps typed and saved answers", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("translated"));
    await at(page, "Food");
    await field(page).fill("Hala");
    await page.getByLabel("Language").selectOption("ar");
    await at(page, "الغداء");
    await at(page, "وجبة");
    expect(
      await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir, document.title]),
    ).toEqual(["ar", "rtl", "وجبة"]);
    await page.getByText("المشروب").first().waitFor();
    expect(await field(page).inputValue()).toBe("Hala");
    await field(page).fill("?");
    await page.getByRole("button", { name: "إلى الأمام" }).click();
    await page.getByText("اكتب اسمك.").first().waitFor();
    await field(page).fill("Hala");
    await page.getByRole("button", { name: "إلى الأمام" }).click();
    await at(page, "Two");
    await expect.poll(() => begun("translated")[0]?.language).toBe("ar");
    await page.reload();
    await at(page, "Two");
    await at(page, "وجبة");
    await page.getByRole("combobox").selectOption("de");
    await page.getByRole("button", { name: "Zurück" }).click();
    await at(page, "Food");
    await page.getByText("Ihr Name").waitFor();
    expect(await field(page).inputValue()).toBe("Hala");
    await expect.poll(() => begun("translated")[0]?.language).toBe("de");
    expect(begun("translated")).toHaveLength(1);
  });

  test("keeps what was emptied and not saved yet, over a reload and in another language", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("emptied"));
    await field(page).fill("Ann");
    await goOn(page);
    await at(page, "Two");
    await saved(page);
    await page.getByRole("button", { name: "Back" }).click();
    await at(page, "Food");
    await field(page).fill("");
    await page.reload();
    await at(page, "Food");
    expect(await field(page).inputValue()).toBe("");
    await page.getByLabel("Language").selectOption("de");
    await page.getByText("Ihr Name").waitFor();
    expect(await field(page).inputValue()).toBe("");
    await goOn(page);
    await at(page, "Two");
    await expect.poll(() => outcome("emptied")).toEqual([["started", undefined, undefined, undefined]]);
  });

  test("shows what was saved while the language changed", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("raced"));
    const [asked, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // The respondent is read before the save arrives, and the answer to that comes after it.
    await page.route("**/answers", async (route) => {
      await asked.promise;
      await route.continue();
    });
    await page.route(/\/respondents\/[^/?]+(?:\?.*)?$/, async (route) => {
      const response = await route.fetch();
      asked.resolve();
      await read.promise;
      await route.fulfill({ response });
    });
    await field(page).fill("Ann");
    await goOn(page);
    await at(page, "Two");
    await expect.poll(() => begun("raced").length).toBe(1);
    await page.getByLabel("Language").selectOption("de");
    await expect.poll(() => outcome("raced")).toEqual([["started", "Ann", undefined, undefined]]);
    await expect.poll(() => page.evaluate(unsent)).toBe(0);
    read.resolve();
    await page.getByRole("button", { name: "Zurück" }).click();
    await page.getByText("Ihr Name").waitFor();
    expect(await field(page).inputValue()).toBe("Ann");
  });

  test("saves what was changed after the language did", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("changed"));
    await field(page).fill("Ann");
    await goOn(page);
    await at(page, "Two");
    await page.getByRole("button", { name: "Back" }).click();
    await at(page, "Food");
    await saved(page);
    await page.getByLabel("Language").selectOption("de");
    await page.getByText("Ihr Name").waitFor();
    await field(page).fill("Bea");
    await goOn(page);
    await at(page, "Two");
    await expect.poll(() => outcome("changed")).toEqual([["started", "Bea", undefined, undefined]]);
  });

  test("is drawn once, in the last language, when languages are chosen faster than they load", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("hurried"));
    await at(page, "Food");
    // Each survey that was drawn and has not ended has lines that are read aloud.
    const lines = page.locator("p.sr-only[role=status]");
    await lines.first().waitFor({ state: "attached" });
    const once = await lines.count();
    const reads = () => stand.calls.filter((call) => /^GET .*\/hurried\?/.test(call)).length;
    const readBefore = reads();
    await page.getByLabel("Language").evaluate((select: HTMLSelectElement) => {
      for (const tag of ["ar", "de"]) {
        select.value = tag;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      }
    });
    await page.getByText("Ihr Name").waitFor();
    await expect.poll(() => lines.count()).toBe(once);
    expect(reads() - readBefore).toBe(1);
    await field(page).fill("Ann");
    await goOn(page);
    await at(page, "Two");
    await expect.poll(() => outcome("hurried")).toEqual([["started", "Ann", undefined, undefined]]);
  });

  test("goes on as the respondent whose start was lost on its way back, also in another language", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("unheard"));
    const start = "**/unheard/respondents";
    await page.route(start, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await field(page).fill("Ann");
    await goOn(page);
    await at(page, "Two");
    await expect.poll(() => outcome("unheard")).toEqual([["started", undefined, undefined, undefined]]);
    await page.getByLabel("Language").selectOption("de");
    await page.getByText("Zurück").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await expect.poll(() => outcome("unheard")).toEqual([["started", "Ann", undefined, undefined]]);
    await page.getByText("Zurück").waitFor();
  });

  test("shows the answers of a loop's item that comes back after a reload", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("returned"));
    const cake = page.getByText("Cake", { exact: true });
    await page.getByText("Coffee", { exact: true }).click();
    await cake.click();
    await goOn(page);
    await at(page, "Taste – Coffee");
    await goOn(page);
    await at(page, "Taste – Cake");
    await field(page).fill("sweet");
    for (const title of ["Taste – Coffee", ""]) {
      await page.getByRole("button", { name: "Back" }).click();
      if (title) await at(page, title);
    }
    await cake.click();
    await expect.poll(() => [...begun("returned")[0]!.answers.values()]).toContain("sweet");
    await page.reload();
    await cake.click();
    await goOn(page);
    await goOn(page);
    await at(page, "Taste – Cake");
    expect(await field(page).inputValue()).toBe("sweet");
  });

  test("ends with the survey's own texts, and starts over on request", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("ended"));
    await field(page).fill("Ivo");
    await page.getByRole("button", { name: "Onwards" }).click();
    await at(page, "Two");
    await goOn(page);
    await at(page, "Three");
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByText("You won").waitFor();
    await page.getByRole("button", { name: "Answer again" }).click();
    await at(page, "One");
    expect(await field(page).inputValue()).toBe("");
  });

  test("offers no second answer where a device has one", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("once"));
    await at(page, "Two");
    await goOn(page);
    await thanks(page);
    expect(await page.getByRole("button").count()).toBe(0);
    await page.reload();
    await page.getByText("You have answered this survey already.").waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
  });

  test("can be read before its script arrives, and where it has no survey", async () => {
    await using opened = await openContext(browser, { javaScriptEnabled: false });
    const open = await openPage(opened.context, stand.url("back"));
    expect(await open.locator("main").innerText()).toContain("Name");
    const closed = await openPage(opened.context, stand.url("closed"));
    expect(await closed.locator("main").innerText()).toContain("Back on Monday.");
    const absent = await openPage(opened.context, stand.url("nothing"));
    expect(await absent.locator("h1").innerText()).toBe("There is no survey at this address.");
  });
});
