import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type LaunchOptions,
  type Page,
} from "playwright-core";
import { testServerUrl } from "./test-server-url.ts";

export { seriousFindings } from "./serious-findings.ts";

const installed = "/usr/bin/chromium";

/** Finds the Chromium that `CANVASS_CHROMIUM` names, else Debian's, else the one from npm. */
async function findChromium(): Promise<LaunchOptions> {
  const named = process.env["CANVASS_CHROMIUM"];
  if (named) return { executablePath: named };
  if (existsSync(installed)) return { executablePath: installed };
  const machine = `${process.platform}-${process.arch}`;
  if (machine !== "linux-x64") throw new Error(`npm brings no Chromium for ${machine}`);
  const folder = await testServerUrl("chromium");
  const env = { LD_LIBRARY_PATH: join(folder, "al2023/lib"), FONTCONFIG_PATH: join(folder, "fonts") };
  return { executablePath: join(folder, "chromium"), env: { ...process.env, ...env } };
}

let opened: Promise<Browser> | undefined;

/**
 * One browser for all test files of a worker, which ends with the worker. If none starts, throws an error that says
 * what to do.
 */
export function openBrowser(): Promise<Browser> {
  return (opened ??= launch());
}

async function launch(): Promise<Browser> {
  try {
    return await chromium.launch({ ...(await findChromium()), args: ["--no-sandbox"] });
  } catch (cause) {
    const advice = "Install Debian's package chromium, or set CANVASS_CHROMIUM to the path of a Chromium or Chrome.";
    throw new Error(`The tests found no browser that starts on this machine. ${advice}`, { cause });
  }
}

const stepTimeoutMs = 60_000;

export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3" fill="#c9a27a"/></svg>`;

/** `troubles` collects the errors and dialogs of its pages. */
export async function openContext(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ bypassCSP: false, ...options });
  context.setDefaultTimeout(stepTimeoutMs);
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
  await page.goto(url);
  return page;
}
