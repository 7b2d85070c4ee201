import { refuseViolations } from "@canvass/inputs";
import type { JsonObject } from "@canvass/values";
import { createKeys, type Keys } from "./keys.ts";
import { reportItem, reportLimits, type ReportItem } from "./report.ts";

/** An element of the document of contract 6.14 in the making. */
export interface DraftElement extends JsonObject {
  key: string;
  type: string;
}

export interface DraftPage extends JsonObject {
  key: string;
  elements: DraftElement[];
}

/** A survey's document in the making, and what became of each item of its file. */
export interface Questionnaire {
  document: JsonObject & { pages: DraftPage[]; fields: JsonObject[]; settings: Record<string, JsonObject> };
  items: ReportItem[];
  /** The item that a page, an element or a field was made of. */
  sources: Map<object, ReportItem>;
  keys: { pages: Keys; elements: Keys; names: Keys };
}

export function createQuestionnaire(): Questionnaire {
  return {
    document: { name: "", language: "en", settings: {}, fields: [], pages: [] },
    items: [],
    sources: new Map(),
    keys: { pages: createKeys("p", ["end"]), elements: createKeys("q"), names: createKeys("q", [], true) },
  };
}

/** Adds an item of the file to the report. Refuses a file with too many. */
export function addItem({ items }: Questionnaire, source: string, name?: unknown): ReportItem {
  if (items.length >= reportLimits.items) {
    refuseViolations([{ path: "file", message: `has more than ${reportLimits.items} items` }]);
  }
  const item = reportItem(source, name);
  items.push(item);
  return item;
}

export function addPage(
  questionnaire: Questionnaire,
  item: ReportItem | undefined,
  page: JsonObject,
  name = "",
): DraftPage {
  const added = { key: questionnaire.keys.pages.take(name || "page"), ...page, elements: [] };
  questionnaire.document.pages.push(added);
  if (item) questionnaire.sources.set(added, item);
  return added;
}

export function addElement(
  questionnaire: Questionnaire,
  page: DraftPage,
  item: ReportItem,
  element: DraftElement,
): void {
  page.elements.push(element);
  questionnaire.sources.set(element, item);
}
