import { answerOwner } from "@canvass/fairness/threads";
import { questionSection } from "./question-section.ts";
import { reportOpening } from "./report-page.ts";
import type { ReportPart } from "./report-renderer.ts";

// Runs in a thread, because the plotting library takes 300 ms to load, 90 MB, and about 3 ms per plot.
answerOwner((part: ReportPart): string =>
  part.kind === "opening" ? reportOpening(part.opening) : part.questions.map(questionSection).join(""),
);
