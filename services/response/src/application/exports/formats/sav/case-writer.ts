import type { ExportCell } from "@canvass/questions";
import { createByteWriter } from "./byte-writer.ts";
import { textBytes, type Variable } from "./variables.ts";

const bias = 100;
const codes = { raw: 253, blanks: 254, missing: 255 };
/** Seconds between 14 October 1582, the epoch of SPSS, and 1970. */
const epochSeconds = 12_219_379_200;
const blank = 0x20;

export interface CaseWriter {
  write(row: readonly ExportCell[]): void;
  take(): Uint8Array;
  end(): Uint8Array;
}

/** Writes compressed cases: eight codes, then the eight-byte values that the codes do not encode. */
export function createCaseWriter(variables: readonly Variable[]): CaseWriter {
  const out = createByteWriter();
  let codeCount = 0;
  const codeBytes = Buffer.alloc(8);
  const raw = createByteWriter();
  const place = Buffer.alloc(8);

  function code(value: number): void {
    codeBytes[codeCount] = value;
    codeCount += 1;
    if (codeCount === 8) flush();
  }
  function flush(): void {
    if (codeCount === 0) return;
    codeBytes.fill(0, codeCount);
    out.bytes(codeBytes);
    out.bytes(raw.take());
    codeCount = 0;
  }
  function rawPlace(): void {
    raw.bytes(place);
    code(codes.raw);
  }
  function number(value: number): void {
    if (Number.isInteger(value) && value > -bias && value <= 251 - bias) return code(value + bias);
    place.writeDoubleLE(value);
    rawPlace();
  }
  function text(bytes: Uint8Array, variable: Variable): void {
    let from = 0;
    for (const { width, bytes: held } of variable.segments) {
      const part = bytes.subarray(from, from + held);
      from += held;
      for (let at = 0; at < width; at += 8) {
        if (at >= part.length) {
          code(codes.blanks);
          continue;
        }
        place.fill(blank);
        place.set(part.subarray(at, at + 8));
        rawPlace();
      }
    }
  }

  return {
    write(row) {
      for (const [index, variable] of variables.entries()) {
        const cell = row[index]!;
        if (variable.width > 0)
          text(cell === null ? new Uint8Array() : textBytes(String(cell), variable.width), variable);
        else if (typeof cell !== "number") code(codes.missing);
        else number(secondsOf(variable.column.kind, cell));
      }
    },
    take: () => out.take(),
    end() {
      flush();
      return out.take();
    },
  };
}

function secondsOf(kind: Variable["column"]["kind"], cell: number): number {
  if (kind === "time") return cell / 1000;
  return kind === "date" || kind === "datetime" ? cell / 1000 + epochSeconds : cell;
}
