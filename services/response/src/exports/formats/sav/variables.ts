import type { HeadedColumn } from "../../../domain/exports/export-layout.ts";
import { variableNames } from "./variable-names.ts";

export interface Variable {
  /** At most eight bytes, as old programs have them. */
  shortName: string;
  name: string;
  column: HeadedColumn;
  /** Bytes of a text; 0: a number. */
  width: number;
  /** What a long text is stored as; one for all others. */
  segments: readonly Segment[];
}

export interface Segment {
  shortName: string;
  /** As declared; 0: a number. */
  width: number;
  /** Bytes of the text that it holds. */
  bytes: number;
}

export const longestText = 32_767;
/** A text of more than 255 bytes is declared in segments of 252 bytes, each of which holds 255. */
const declaredChunk = 252;
const heldChunk = 255;

/** A text in the bytes that are kept of it, cut between characters. */
export function textBytes(text: string, most = longestText): Uint8Array {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return bytes;
  let end = most;
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** The variables of the columns. `widths`: bytes of the longest text of each. */
export function variablesOf(columns: readonly HeadedColumn[], widths: readonly number[]): Variable[] {
  const names = variableNames(columns.map(({ id }) => id));
  let numbered = 0;
  const nextShortName = () => `V${(numbered += 1)}`;
  return columns.map((column, index) => {
    const width = column.kind === "text" ? widths[index]! : 0;
    const segments = segmentsOf(width, nextShortName);
    return { shortName: segments[0]!.shortName, name: names[index]!, column, width, segments };
  });
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
