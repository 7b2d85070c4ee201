import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";

/** Debian's package. */
const executablePath = process.env["CANVASS_CHROMIUM"] ?? "/usr/bin/chromium";
export const hasBrowser = existsSync(executablePath);

export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath, args: ["--no-sandbox"] });

export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3" fill="#c9a27a"/></svg>`;

/** A context of its own, whose pages report what goes wrong in them. */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ bypassCSP: false, ...options });
  const troubles: string[] = [];
  await context.route(/^https:/, (route) => route.fulfill({ contentType: "image/svg+xml", body: picture }));
  await context.route("**/favicon.svg", (route) => route.fulfill({ contentType: "image/svg+xml", body: picture }));
  context.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) troubles.push(message.text());
  });
  context.on("weberror", (error) => troubles.push(error.error().message));
  context.on("dialog", (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { context, troubles, [Symbol.asyncDispose]: () => context.close() };
}

export async function openPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(url);
  return page;
}
