import { parentPort } from "node:worker_threads";
import { questionSection } from "./question-section.ts";
import { reportOpening } from "./report-page.ts";
import type { PartRequest, RenderedPart } from "./report-renderer.ts";

// In a thread of its own: the plotting library takes a third of a second to load and 90 MB, and three milliseconds per
// plot.
const port = parentPort!;
port.on("message", ({ id, part }: PartRequest) => {
  port.postMessage({ id, html: render(part) } satisfies RenderedPart);
});

function render(part: PartRequest["part"]): string {
  return part.kind === "opening" ? reportOpening(part.opening) : part.questions.map(questionSection).join("");
}
