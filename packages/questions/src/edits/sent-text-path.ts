import type { ElementEditName } from "./element-edits.ts";

/** Fields of the bodies that set one text. */
const fields: Partial<Record<ElementEditName, string>> = {
  choice: "newTitle",
  other: "label",
  npsLabel: "text",
  ratingLabel: "text",
  npsSettings: "subject",
  ratingSettings: "body",
};

/** Returns the path in the body of an edit at which a text of the question was sent. `path`: that in the question. */
export function sentTextPath(name: ElementEditName, path: string): string {
  if (name === "settings") {
    if (path === "text") return "questionText";
    return /^(?:helpText|translations|constraints)\b/.test(path) ? path : `settings.${path}`;
  }
  return name === "choices" ? path.replace(/\.text$/, ".title") : (fields[name] ?? path);
}
