/** A question that conditions of a file may refer to. */
export interface Asked {
  key: string;
  /** `part`: a choice of a question with several answers, to which the file refers separately. */
  kind: "choice" | "choices" | "number" | "text" | "date" | "boolean" | "part" | "none";
  /** Keys of choices by their names in the file. */
  choices?: ReadonlyMap<string, string>;
  /** The key of the choice that is a part. */
  part?: string;
}

/** Returns the kind of the answers to a question, by its type in a document. */
export function kindOf(type: string, multipleAnswers = false): Asked["kind"] {
  if (type === "multiple_choice" || type === "image_choice") return multipleAnswers ? "choices" : "choice";
  return Object.hasOwn(kinds, type) ? kinds[type]! : "none";
}

const kinds: Record<string, Asked["kind"]> = {
  dropdown: "choice",
  number: "number",
  slider: "number",
  rating: "number",
  nps: "number",
  short_text: "text",
  long_text: "text",
  date_time: "date",
  yes_no: "boolean",
  consent: "boolean",
};
