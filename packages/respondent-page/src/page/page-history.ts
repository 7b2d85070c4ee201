interface PageState {
  page: string;
  /** Pages behind this one in the browser's history. */
  depth: number;
}

const stateNow = (): PageState | null => {
  const state = history.state as PageState | null;
  return typeof state?.page === "string" ? state : null;
};

/** Browsers limit how often an address may change. A page that is not noted is left out when going back. */
function note(write: () => void): void {
  try {
    write();
  } catch {
    // Its own buttons still lead through the survey.
  }
}

/** Begins on the first page again. */
export const forgetPage = (): void => note(() => history.replaceState(null, ""));

/** Ties the pages of a survey to the browser's history, so that its buttons lead through them. */
export function pageHistory(ended: AbortSignal, onPage: (page: string) => void) {
  const follow = () => {
    const state = stateNow();
    if (state) onPage(state.page);
  };
  addEventListener("popstate", follow, { signal: ended });
  return {
    /** The page that was open before a reload. */
    page: () => stateNow()?.page,
    begin: (page: string) => note(() => history.replaceState({ page, depth: stateNow()?.depth ?? 0 }, "")),
    enter: (page: string) => note(() => history.pushState({ page, depth: (stateNow()?.depth ?? 0) + 1 }, "")),
    /** Whether there is a page to go back to. */
    leave(): boolean {
      const canLeave = (stateNow()?.depth ?? 0) > 0;
      if (canLeave) history.back();
      return canLeave;
    },
  };
}

export type PageHistory = ReturnType<typeof pageHistory>;
