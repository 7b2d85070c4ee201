import { parentPort } from "node:worker_threads";
import { questionSection } from "./question-section.ts";
import { reportOpening } from "./report-page.ts";
import type { PartRequest, RenderedPart } from "./report-renderer.ts";

// Runs in a thread, because the plotting library takes 300 ms to load, 90 MB, and about 3 ms per plot.
const port = parentPort!;
port.on("message", ({ id, part }: PartRequest) => {
  port.postMessage({ id, html: render(part) } satisfies RenderedPart);
});

function render(part: PartRequest["part"]): string {
  return part.kind === "opening" ? reportOpening(part.opening) : part.questions.map(questionSection).join("");
}
