import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { keepTrialLink } from "@canvass/dev-env";
import { openBrowser, openContext, openPage, phone } from "@canvass/testing/browser";
import { waitFor } from "@canvass/testing";
import type { Browser, Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  createApiClient,
  readFeed,
  type ApiClient,
  type DemoSystem,
  type Json,
  type OtherWorkspace,
} from "../../src/index.ts";
import { shareSurvey } from "../../src/demo/share-survey.ts";
import type { SharedSystem } from "../shared-system.ts";
import { publishSmallSurvey } from "../small-survey.ts";

let demo: DemoSystem;
let workspace: OtherWorkspace;
let api: ApiClient;
let trial: { url: string; surveyId: string };

/** Makes the link as `pnpm start` does. */
function startLink(isFirstStart: boolean) {
  const { baseUrl } = demo.system.local;
  const { token } = workspace;
  return keepTrialLink({ baseUrl, token, isFirstStart, file: join(demo.dataDir, "trial.json") });
}

const distributors = async (): Promise<Json[]> => (await api.get(`/distribution/surveys/${trial.surveyId}`)).data;

async function choiceTexts(): Promise<Map<string, string>> {
  const { data } = await api.get(`/surveys/${trial.surveyId}/elements?include=content`);
  return new Map(data.flatMap(({ choices = [] }: Json) => choices.map(({ id, text }: Json) => [id, text])));
}

const byText = (a: unknown, b: unknown) => String(a).localeCompare(String(b));

/** A page, or a frame in one. */
type Shown = Pick<Page, "locator" | "getByRole" | "getByText">;

const heading = (page: Shown, name: string) => page.getByRole("heading", { name, exact: true });
const question = (page: Shown, text: string) =>
  page.locator(".sd-question").filter({ has: page.locator(`h3:has-text("${text}")`) });
const radio = (of: Locator, index: number) => of.locator("input[type=radio]").nth(index).locator("xpath=..");
const goOn = (page: Shown) => page.locator("nav .main").click();

async function answerFirstPage(page: Shown): Promise<void> {
  await heading(page, "Your last coffee").waitFor();
  await radio(question(page, "How was it?"), 3).click();
  await page.getByText("Cappuccino", { exact: true }).click();
  await radio(question(page, "another one?"), 0).click();
}

/** Serves pages at two origins: the name `localhost` and its address. */
async function serveHtml() {
  const pages = new Map<string, string>();
  const server = createServer(({ url = "" }, response) => {
    response.setHeader("content-type", "text/html").end(pages.get(url) ?? "");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    pages,
    origin: `http://localhost:${port}`,
    otherOrigin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

/** Tests the respondents' page through the links of the first start and of the demo. */
export function testAnsweringPage(shared: SharedSystem): void {
  beforeAll(async () => {
    ({ demo } = shared);
    workspace = await shared.newWorkspace();
    ({ api } = workspace);
    const { data } = await api.post("/event-subscriptions", { name: "Webhook", url: demo.receiver.url });
    demo.receiver.trust(data.secret);
    trial = (await startLink(true))!;
  });

  describe("the survey of the first start, answered in a browser", () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    });

    test("at a phone's width and over a reload, stands in answers, results, figures of its link, webhook and feed", async () => {
      await using opened = await openContext(browser, phone);
      const page = await openPage(opened.context, trial.url);
      await answerFirstPage(page);
      await goOn(page);
      await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
      const remark = question(page, "Anything else?").getByRole("textbox");
      await remark.fill("Not yet se");
      await page.reload();
      await heading(page, "In the end").waitFor();
      expect(await remark.inputValue()).toBe("Not yet se");
      await radio(question(page, "How likely"), 9).click();
      await remark.fill("A second cup.");
      await goOn(page);
      await page.getByText("Thank you!").waitFor();
      // The link allows one response per device.
      expect(await page.getByRole("button").count()).toBe(0);
      expect(opened.troubles).toEqual([]);

      const { data: answers } = await api.get(`/response/surveys/${trial.surveyId}`);
      const texts = await choiceTexts();
      expect(answers.map(({ value }: Json) => texts.get(String([value].flat()[0])) ?? value).toSorted(byText)).toEqual(
        [4, "Cappuccino", true, 9, "A second cup."].toSorted(byText),
      );
      const { data: results } = await api.get(`/response/surveys/${trial.surveyId}/aggregation`);
      expect(results.respondentStats).toMatchObject({ totalStarted: 1, totalCompleted: 1 });
      expect(results.questionStats.map(({ responseCount }: Json) => responseCount)).toEqual([1, 1, 1, 1, 1]);
      const [link] = await distributors();
      const stats = async () => (await api.get(`/distribution/${link.id}`)).data.stats;
      // The reload has a session, so it does not count.
      await expect.poll(stats).toEqual({ opened: 1, started: 1, completed: 1 });

      const event = await waitFor(async () => (await readFeed(api)).events[0], { describe: "the event in the feed" });
      expect(event).toMatchObject({ type: "response.completed", data: { survey_id: trial.surveyId } });
      await waitFor(() => demo.receiver.verified.get(event.id), { describe: "the webhook" });
    });

    test("stands in a frame on an allowed page only, as high as its content, and in a window on any page", async () => {
      await using shop = await serveHtml();
      const settings = { allowedOrigins: [shop.origin], redirectUrl: `${shop.origin}/thanks` };
      const body = { name: "Shop", type: "embed", settings };
      const { data: distributor } = await api.post(`/distribution/surveys/${trial.surveyId}`, body);
      await api.post(`/distribution/${distributor.id}/activate`);
      const codeOf = async (mode: string) =>
        (await api.get(`/distribution/${distributor.id}/embed-code?mode=${mode}`)).data.html as string;
      shop.pages
        .set("/frame", await codeOf("iframe"))
        .set("/window", await codeOf("popup"))
        .set("/thanks", "<h1>Bye</h1>");

      await using opened = await openContext(browser);
      const page = await openPage(opened.context, `${shop.origin}/frame`);
      const survey = page.frameLocator("iframe");
      const height = () => page.locator("iframe").evaluate((frame) => frame.getBoundingClientRect().height);
      const content = () =>
        survey.locator("body").evaluate((element) => Math.ceil(element.getBoundingClientRect().height));
      await heading(survey, "Your last coffee").waitFor();
      await expect.poll(async () => (await height()) - (await content())).toBe(0);
      const first = await height();
      await answerFirstPage(survey);
      await goOn(survey);
      await heading(survey, "In the end").waitFor();
      await expect.poll(async () => (await height()) - (await content())).toBe(0);
      expect(await height()).not.toBe(first);

      await page.goto(`${shop.otherOrigin}/frame`);
      await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
      expect(await height()).toBe(600);

      // Playwright lets frame and window share the browser's storage, so another person opens the window.
      await using another = await openContext(browser);
      const around = await openPage(another.context, `${shop.otherOrigin}/window`);
      const [own] = await Promise.all([around.waitForEvent("popup"), around.getByRole("button").click()]);
      await answerFirstPage(own);
      await goOn(own);
      await heading(own, "In the end").waitFor();
      await radio(question(own, "How likely"), 9).click();
      await goOn(own);
      await own.waitForURL(`${shop.origin}/thanks`);
    });
  });

  test("later starts give the same link while it takes answers", async () => {
    expect(await startLink(false)).toEqual(trial);
    const { id } = (await distributors()).find(({ url }) => url === trial.url)!;
    await api.post(`/distribution/${id}/pause`);
    expect(await startLink(false)).toBeUndefined();
    await api.post(`/distribution/${id}/resume`);
    expect(await startLink(false)).toEqual(trial);
    await api.post(`/distribution/${id}/close`);
    expect(await startLink(false)).toBeUndefined();
  });

  test("the link that the demo ends with opens its survey", async () => {
    const { surveyId } = await publishSmallSurvey(api);
    const url = await shareSurvey(api, surveyId);
    expect(await (await fetch(url)).text()).toContain("How did you like it?");
    await using people = createApiClient(demo.system.local.baseUrl, "");
    const { data } = await people.get(`/public/v1/links/${url.split("/").at(-1)}`);
    expect(data).toMatchObject({ state: "open", survey: { name: "Small survey" } });
  });
}
