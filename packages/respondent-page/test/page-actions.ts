import type { Locator, Page } from "playwright-core";

export const goOn = (page: Page): Promise<void> => page.locator("nav .main").click();

/** Waits until an element has the focus: SurveyJS gives it when the scrolling to the element has ended. */
export const focus = (page: Page, element: Locator): Promise<void> => element.and(page.locator(":focus")).waitFor();
