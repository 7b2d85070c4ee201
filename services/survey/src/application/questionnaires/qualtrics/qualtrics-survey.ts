import type { JsonObject } from "@canvass/values";
import type { Asked } from "../asked.ts";
import type { Questionnaire } from "../questionnaire.ts";
import { change, cut, type ReportItem } from "../report.ts";
import { plainBraces } from "../texts.ts";

/** Context for reading the questions of a file. */
export interface QualtricsSurvey {
  questionnaire: Questionnaire;
  /** Payloads of questions by id. */
  questions: ReadonlyMap<string, JsonObject>;
  /** Payloads of blocks by id. */
  blocks: ReadonlyMap<string, JsonObject>;
  asked: Map<string, Asked>;
  fields: Set<string>;
  /** Questions that the flow has led to. */
  reached: Set<string>;
}

/** Writes piped text as placeholders (contract 6.19). */
export function templateOf({ asked, fields }: QualtricsSurvey, text: string, item: ReportItem): string {
  return plainBraces(text).replaceAll(/\$\{([a-z]+):\/\/([^}]{1,200})\}/g, (written, kind: string, path: string) => {
    const [first = "", second = ""] = path.split("/");
    if (kind === "e" && first === "Field" && fields.has(second)) return `{{field.${second}}}`;
    const known = kind === "q" ? asked.get(first) : undefined;
    if (known && known.kind !== "none") return `{{${known.key}}}`;
    change(item, `a text keeps ${cut(written)} as it is written`);
    return written;
  });
}
