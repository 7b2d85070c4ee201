import { validationFailed, violationAt, type QuestionnaireFormat, type Violation } from "@canvass/inputs";
import type { Questionnaire } from "./questionnaire.ts";
import { repairDocument } from "./repair-document.ts";
import { addItem } from "./questionnaire.ts";
import { change, type ReportItem } from "./report.ts";
import { readLss } from "./limesurvey/read-lss.ts";
import { readQsf } from "./qualtrics/read-qsf.ts";
import { readSurveyjs } from "./surveyjs/read-surveyjs.ts";
import { readXlsform } from "./xlsform/read-xlsform.ts";

export interface ReadQuestionnaire {
  /** The survey's document (contract 6.14) as JSON. */
  documentJson: string;
  items: ReportItem[];
}

const readers: Record<QuestionnaireFormat, (file: Uint8Array) => Questionnaire | Promise<Questionnaire>> = {
  xlsform: readXlsform,
  lss: readLss,
  qsf: readQsf,
  surveyjs: readSurveyjs,
};

/**
 * Reads a questionnaire of another system as a survey. Runs nothing of it. Throws `validation_failed`, at places of the
 * file.
 */
export async function readQuestionnaire(format: QuestionnaireFormat, file: Uint8Array): Promise<ReadQuestionnaire> {
  const questionnaire = await readers[format](file);
  complete(questionnaire);
  repairDocument(questionnaire);
  const { document, items } = questionnaire;
  if (document.pages.every(({ elements }) => elements.length === 0)) {
    throw validationFailed([{ path: "file", message: "has no question that a survey can have" }, ...leftOut(items)]);
  }
  return { documentJson: JSON.stringify(document), items };
}

/** The most items that a refusal names. */
const mostNamed = 100;

/** Returns why items of the file are left out, as violations at their places. */
function leftOut(items: readonly ReportItem[]): Violation[] {
  const some = items.filter(({ outcome }) => outcome === "left_out").slice(0, mostNamed);
  return some.flatMap(({ source, name, reasons }) =>
    violationAt(`file.${source}`, `${name && `${name} `}is left out: ${reasons.join("; ")}`),
  );
}

function complete(questionnaire: Questionnaire): void {
  const { document } = questionnaire;
  if (document["name"] === "") {
    document["name"] = "Imported survey";
    change(addItem(questionnaire, "file"), "has no title, so the survey gets one");
  }
  if (document.pages.length === 0) document.pages.push({ key: "start", elements: [] });
}
