interface PageState {
  page: string;
  /** Pages behind this one in the browser's history. */
  depth: number;
}

const stateNow = (): PageState | null => {
  const state = history.state as PageState | null;
  return typeof state?.page === "string" ? state : null;
};

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
    begin: (page: string) => history.replaceState({ page, depth: stateNow()?.depth ?? 0 }, ""),
    enter: (page: string) => history.pushState({ page, depth: (stateNow()?.depth ?? 0) + 1 }, ""),
    /** Whether there is a page to go back to. */
    leave(): boolean {
      const canLeave = (stateNow()?.depth ?? 0) > 0;
      if (canLeave) history.back();
      return canLeave;
    },
  };
}

export type PageHistory = ReturnType<typeof pageHistory>;
