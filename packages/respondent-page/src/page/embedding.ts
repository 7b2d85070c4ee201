/** Tells the page around this one how high the content is, if its origin may embed the survey. */
export function reportHeight(allowedOrigins: readonly string[]): void {
  if (window.parent === window) return;
  const around = originAround();
  if (around === undefined || !allowedOrigins.includes(around)) return;
  const report = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    window.parent.postMessage({ type: "canvass:height", height }, around);
  };
  new ResizeObserver(report).observe(document.body);
}

function originAround(): string | undefined {
  const [first] = location.ancestorOrigins ?? [];
  if (first !== undefined) return first;
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : undefined;
}
