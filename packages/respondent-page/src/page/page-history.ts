interface PageState {
  page: string;
  /** Number of survey pages before this one in the browser's history. */
  depth: number;
}

const stateNow = (): PageState | null => {
  const state = history.state as PageState | null;
  return typeof state?.page === "string" ? state : null;
};

/** Browsers limit how often a page may change its address. Going back skips a page that was not recorded. */
function note(write: () => void): void {
  try {
    write();
  } catch {}
}

const patienceMs = 1_000;
let returning: Promise<void> | undefined;

/**
 * Returns to where the browser's history entered the survey, and forgets its pages: one press of Back then leaves the
 * survey, and leads no other respondent to them. A frame shares its history with the page around it, so it stays.
 */
export const forgetPages = (): Promise<void> => (returning ??= rewind().finally(() => (returning = undefined)));

async function rewind(): Promise<void> {
  const depth = stateNow()?.depth ?? 0;
  if (depth > 0 && window.parent === window) {
    await new Promise<void>((resolve) => {
      addEventListener("popstate", () => resolve(), { once: true });
      setTimeout(resolve, patienceMs);
      history.go(-depth);
    });
  }
  note(() => history.replaceState(null, ""));
}

/** Makes the browser's back and forward buttons switch pages of the survey. */
export function createPageHistory(ended: AbortSignal, onPage: (page: string) => void) {
  const follow = () => {
    const state = stateNow();
    if (state) onPage(state.page);
  };
  addEventListener("popstate", follow, { signal: ended });
  return {
    page: () => stateNow()?.page,
    begin: (page: string) => note(() => history.replaceState({ page, depth: stateNow()?.depth ?? 0 }, "")),
    enter: (page: string) => note(() => history.pushState({ page, depth: (stateNow()?.depth ?? 0) + 1 }, "")),
    leave(): boolean {
      const canLeave = (stateNow()?.depth ?? 0) > 0;
      if (canLeave) history.back();
      return canLeave;
    },
  };
}
