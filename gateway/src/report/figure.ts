export interface Bar {
  label: string;
  value: number;
}

export type Figure =
  /** Choices, as horizontal bars. `of` is the total from which shares are computed. */
  | { kind: "bars"; title?: string; measure: string; bars: Bar[]; of?: number }
  /** Steps of a scale or of time, as vertical bars. */
  | { kind: "columns"; title?: string; measure: string; bars: Bar[]; of?: number }
  /** Shares of rows. `colours` of the parts, by default in order. */
  | {
      kind: "stacked";
      title?: string;
      parts: string[];
      colours?: readonly number[];
      rows: { label: string; values: number[] }[];
    };

/** A measure over time, with gaps where it is null. */
export interface LineFigure {
  kind: "line";
  measure: string;
  points: { label: string; value: number | null }[];
}

export interface QuestionPicture {
  facts: [name: string, value: string][];
  figures: Figure[];
}
