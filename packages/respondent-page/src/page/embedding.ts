import { isAllowedOrigin } from "../served/is-allowed-origin.ts";

const isEmbedded = window.parent !== window;

/** Tells the page around this one how high the content is, if its origin may embed the survey. */
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

/** Shows the beginning of a page. In a frame as high as its content, the page around it has to scroll. */
export function scrollToBegin(root: HTMLElement): void {
  if (isEmbedded) root.scrollIntoView();
  else window.scrollTo({ top: 0 });
}

function originAround(): string | undefined {
  const [first] = location.ancestorOrigins ?? [];
  if (first !== undefined) return first;
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : undefined;
}
