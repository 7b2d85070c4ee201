/** A number under a name. */
export interface Bar {
  label: string;
  value: number;
}

/** What is drawn of a question, and told in a table. */
export type Figure =
  /** Choices: bars below each other. `of`: what a share is of. */
  | { kind: "bars"; title?: string; measure: string; bars: Bar[]; of?: number }
  /** Steps of a scale or time: columns side by side. */
  | { kind: "columns"; title?: string; measure: string; bars: Bar[]; of?: number }
  /** Rows that are made of parts. */
  | { kind: "stacked"; title?: string; parts: string[]; rows: { label: string; values: number[] }[] };

export interface QuestionPicture {
  /** Single figures: mean, score. */
  facts: [name: string, value: string][];
  figures: Figure[];
}
