import { answerOwner } from "@canvass/fairness/threads";
import { crosstabSection } from "./crosstab-section.ts";
import { questionSection } from "./question-section.ts";
import { reportOpening } from "./report-page.ts";
import type { ReportPart } from "./report-renderer.ts";
import { seriesSection } from "./series-section.ts";

// Runs in a thread, because the plotting library takes 300 ms to load, 90 MB, and about 3 ms per plot.
answerOwner((part: ReportPart): string => {
  switch (part.kind) {
    case "opening":
      return reportOpening(part.opening);
    case "table":
      return part.table.kind === "crosstab"
        ? crosstabSection(part.table.crosstab, part.table.number)
        : seriesSection(part.table.series, part.table.number);
    case "questions":
      return part.questions.map(questionSection).join("");
  }
});
