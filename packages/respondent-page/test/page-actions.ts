import type { Locator, Page } from "playwright-core";

export const goOn = (page: Page): Promise<void> => page.locator("nav .main").click();

/** Waits until an element has the focus: SurveyJS gives it when the scrolling to the element has ended. */
export const waitForFocus = (page: Page, element: Locator): Promise<void> =>
  element.and(page.locator(":focus")).waitFor();

/** By the keyboard: SurveyJS draws over its fields. */
export async function press(page: Page, control: Locator): Promise<void> {
  await control.focus();
  await page.keyboard.press("Space");
}

/** Contexts of the two widths at which pages are looked at. */
export const widths = {
  desktop: { viewport: { width: 1280, height: 900 } },
  narrow: { viewport: { width: 375, height: 800 } },
} as const;
