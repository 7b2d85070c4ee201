import type { HeadedColumn } from "../../../../domain/exports/export-layout.ts";
import { cutText, longestLabel, savLabels, type SavLabel } from "./labels.ts";

export interface Variable {
  /** At most eight bytes, for old programs. */
  shortName: string;
  name: string;
  column: HeadedColumn;
  label: SavLabel;
  values: readonly (SavLabel & { code: number })[];
  /** Bytes of a text; 0 for a number. */
  width: number;
  shown: { width: number; decimals: number };
  segments: readonly Segment[];
}

export interface Segment {
  shortName: string;
  /** Declared width; 0 for a number. */
  width: number;
  bytes: number;
}

export interface ColumnSize {
  /** Bytes of the longest text. Fewer if a few long texts would fill the file with blanks. */
  bytes: number;
  characters: number;
  decimals: number;
}

export const longestText = 32_767;
/** A text over 255 bytes has one segment per 252 bytes. Each segment holds 255. */
const declaredChunk = 252;
const heldChunk = 255;

export const textBytes = (text: string, most = longestText): Uint8Array => cutText(text, most);

export const isText = ({ kind }: HeadedColumn): boolean => kind === "text" || kind === "list" || kind === "object";

export function variablesOf(columns: readonly HeadedColumn[], sizes: readonly ColumnSize[]): Variable[] {
  const labels = savLabels(
    columns.map(({ label, name }) => ({ text: label, mark: name })),
    longestLabel.variable,
  );
  let numbered = 0;
  const nextShortName = () => `V${(numbered += 1)}`;
  return columns.map((column, index) => {
    const size = sizes[index]!;
    const width = isText(column) ? size.bytes : 0;
    const segments = segmentsOf(width, nextShortName);
    return {
      shortName: segments[0]!.shortName,
      name: column.name,
      column,
      label: labels[index]!,
      values: valuesOf(column),
      width,
      shown: shownOf(column, size),
      segments,
    };
  });
}

function valuesOf({ values }: HeadedColumn): Variable["values"] {
  const marked = values.map(({ code, label }) => ({ text: label, mark: String(code) }));
  const labels = savLabels(marked, longestLabel.value);
  return values.map(({ code }, index) => ({ code, ...labels[index]! }));
}

const widest = { width: 40, decimals: 16 };

function shownOf({ values }: HeadedColumn, { characters, decimals }: ColumnSize): Variable["shown"] {
  const codes = Math.max(1, ...values.map(({ code }) => String(code).length));
  const kept = Math.min(decimals, widest.decimals);
  const whole = Math.max(codes, characters) + (kept > 0 ? 1 + kept : 0);
  return { width: Math.min(whole, widest.width), decimals: kept };
}

function segmentsOf(width: number, nextShortName: () => string): Segment[] {
  if (width <= heldChunk) return [{ shortName: nextShortName(), width, bytes: width }];
  const count = Math.ceil(width / declaredChunk);
  return Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1;
    return {
      shortName: nextShortName(),
      width: isLast ? width - index * declaredChunk : heldChunk,
      bytes: Math.max(0, Math.min(heldChunk, width - index * heldChunk)),
    };
  });
}
