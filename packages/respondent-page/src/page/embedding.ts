import { isAllowedOrigin } from "../served/is-allowed-origin.ts";

const isEmbedded = window.parent !== window;

/** Reports the content's height to the embedding page, if `allowedOrigins` includes its origin. */
export function reportHeight(allowedOrigins: readonly string[]): void {
  if (!isEmbedded) return;
  document.documentElement.dataset["embedded"] = "";
  const around = originAround();
  if (around === undefined || !isAllowedOrigin(around, allowedOrigins)) return;
  const report = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    window.parent.postMessage({ type: "canvass:height", height }, around);
  };
  if (typeof ResizeObserver === "undefined") report();
  else new ResizeObserver(report).observe(document.body);
}

/** Scrolls to the top of the survey. A frame as high as its content cannot scroll, but the embedding page can. */
export function scrollToBegin(root: HTMLElement): void {
  if (isEmbedded) root.scrollIntoView();
  else window.scrollTo({ top: 0 });
}

function originAround(): string | undefined {
  const [first] = location.ancestorOrigins ?? [];
  if (first !== undefined) return first;
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : undefined;
}
