export interface Bar {
  label: string;
  value: number;
}

export type Figure =
  /** Choices, as horizontal bars. `of` is the total from which shares are computed. */
  | { kind: "bars"; title?: string; measure: string; bars: Bar[]; of?: number }
  /** Steps of a scale or of time, as vertical bars. */
  | { kind: "columns"; title?: string; measure: string; bars: Bar[]; of?: number }
  | { kind: "stacked"; title?: string; parts: string[]; rows: { label: string; values: number[] }[] };

export interface QuestionPicture {
  facts: [name: string, value: string][];
  figures: Figure[];
}
