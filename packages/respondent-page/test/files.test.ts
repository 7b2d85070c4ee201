import { openBrowser, openContext, openPage, phone, seriousFindings } from "@canvass/testing/browser";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goOn } from "./page-actions.ts";
import { pageOf, questionsOf } from "./sample-survey.ts";
import { startStandIn, type StandIn } from "./stand-in.ts";

const typeSettings = { maxFiles: 2, maxSizeMb: 1, extensions: ["png"] };
const asked = { type: "file_upload", text: "Your cup", required: true, typeSettings };
const picture = (name: string, bytes = 3) => ({ name, mimeType: "image/png", buffer: Buffer.alloc(bytes, "x") });

describe("a question for files", () => {
  let browser: Browser;
  let stand: StandIn;
  beforeAll(async () => {
    browser = await openBrowser();
    const definition = () => ({ pages: [pageOf(questionsOf(asked))] });
    const settings = { locale: { languages: ["de"], showSwitch: true } };
    const gone = { pages: [...definition().pages, pageOf(questionsOf({ type: "short_text", text: "Name" }))] };
    stand = await startStandIn({
      cup: { definition: definition() },
      drawn: { definition: definition(), settings },
      gone: { definition: gone },
      anew: { definition: structuredClone(gone) },
    });
  });
  afterAll(async () => {
    await stand?.[Symbol.asyncDispose]();
  });

  const choose = (page: Page, ...files: ReturnType<typeof picture>[]) =>
    page.locator("input[type=file]").setInputFiles(files);

  test("uploads valid files on a phone, explains refusals of others, and has the remaining files in the answer", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("cup"));
    await choose(page, { ...picture("cup.exe"), mimeType: "text/plain" });
    await page.getByRole("alert").filter({ hasText: "Only these files can be sent here: png." }).waitFor();
    await choose(page, picture("large.png", 1_100_000));
    await page.getByText("This file is too large. It may have 1 MB.").waitFor();
    await choose(page, picture("cup.png"), picture("plate.png"));
    await page.getByRole("button", { name: "Remove plate.png" }).waitFor();
    await choose(page, picture("third.png"));
    await page.getByText("At most 2 files can be added.").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Remove cup.png" }).press("Enter");
    await page.getByRole("button", { name: "Remove third.png" }).click();
    await goOn(page);
    await page.getByText("Thank you!").waitFor();
    const [respondent] = [...stand.respondents.values()];
    const [value] = [...respondent!.answers.values()] as { name: string; size: number }[][];
    expect(value!.map(({ name, size }) => [name, size])).toEqual([["plate.png", 3]]);
    expect(stand.calls.filter((call) => call.endsWith("/files"))).toHaveLength(2);
    expect(opened.troubles).toEqual([]);
  });

  test("sends a file again when the connection is back, and waits for it before it continues", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("cup"));
    await page.locator("input[type=file]").waitFor();
    stand.state.isAway = true;
    await choose(page, picture("late.png"));
    await goOn(page);
    await page.getByText("Please wait until your files are sent.").first().waitFor();
    stand.state.isAway = false;
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await page.locator(".files .size").waitFor();
    await goOn(page);
    await page.getByText("Thank you!").waitFor();
    const late = [...stand.respondents.values()].at(-1)!;
    expect([...late.answers.values()]).toMatchObject([[{ name: "late.png" }]]);
  });

  test("asks for a file again that the server no longer takes", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("gone"));
    await choose(page, picture("late.png"));
    await page.locator(".files .size").waitFor();
    stand.state.refused = stand.surveys["gone"]!.definition.pages[0]!.elements[0]!.elementId;
    await goOn(page);
    await page.getByText("This file could not be sent. Please choose it again or another one.").first().waitFor();
    expect(await page.locator(".files .name").count()).toBe(0);
    stand.state.refused = "";
    await choose(page, picture("again.png"));
    await page.locator(".files .size").waitFor();
    await goOn(page);
    await page.getByRole("textbox", { name: "Name" }).waitFor();
    await goOn(page);
    await page.getByText("Thank you!").waitFor();
    expect([...[...stand.respondents.values()].at(-1)!.answers.values()]).toMatchObject([[{ name: "again.png" }]]);
  });

  test("has no files of the former respondent where the respondent starts again", async () => {
    await using opened = await openContext(browser);
    const page = await openPage(opened.context, stand.url("anew"));
    await choose(page, picture("former.png"));
    await page.locator(".files .size").waitFor();
    await goOn(page);
    await page.getByRole("textbox", { name: "Name" }).fill("Ann");
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
    [...stand.respondents.values()].at(-1)!.hasToStartAgain = true;
    await goOn(page);
    await page.locator("input[type=file]").waitFor();
    expect(await page.locator(".files .name").count()).toBe(0);
    await choose(page, picture("new.png"));
    await page.locator(".files .size").waitFor();
    await goOn(page);
    const name = page.getByRole("textbox", { name: "Name" });
    await name.waitFor();
    expect(await name.inputValue()).toBe("Ann");
  });

  test("leaves out a file that arrives after its page was drawn in another language", async () => {
    await using opened = await openContext(browser, phone);
    const page = await openPage(opened.context, stand.url("drawn"));
    const [asked, drawn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holdBack = async (route: Route) => {
      const response = await route.fetch();
      asked.resolve();
      await drawn.promise;
      await route.fulfill({ response });
    };
    await page.route("**/files", holdBack, { times: 1 });
    await choose(page, picture("late.png"));
    await asked.promise;
    await page.getByLabel("Language").selectOption("de");
    await page.getByRole("button", { name: "Absenden" }).waitFor();
    await choose(page, picture("chosen.png"));
    await page.getByRole("button", { name: "chosen.png entfernen" }).waitFor();
    const arrived = page.waitForResponse("**/files");
    drawn.resolve();
    await arrived;
    await page.reload();
    await page.getByRole("button", { name: "Absenden" }).waitFor();
    expect(await page.locator(".files .name").allTextContents()).toEqual(["chosen.png"]);
  });
});
