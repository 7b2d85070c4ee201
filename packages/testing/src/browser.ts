import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import { describe } from "vitest";

declare module "vitest" {
  export interface TaskMeta {
    /** What this machine lacks for the tests; closing-line.ts prints it. */
    missing?: string;
  }
}

/** Debian's package. */
const executablePath = process.env["CANVASS_CHROMIUM"] ?? "/usr/bin/chromium";
const hasBrowser = existsSync(executablePath);
const missing = `${executablePath} (install Debian's package chromium, or name another by CANVASS_CHROMIUM)`;

// oxlint-disable vitest/valid-title, vitest/valid-describe-callback -- the caller gives both
/** Tests in a browser. Where there is none they are skipped, and the end of the run tells it. */
export const describeInBrowser: (name: string, tests: () => void) => void = hasBrowser
  ? (name, tests) => void describe(name, tests)
  : (name, tests) => void describe(name, { skip: true, meta: { missing } }, tests);
// oxlint-enable vitest/valid-title, vitest/valid-describe-callback

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
  page.setDefaultTimeout(20_000);
  await page.goto(url);
  return page;
}
