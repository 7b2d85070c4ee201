import { shorten, type Sizes } from "./shorten.ts";

/** Characters of a result's data as JSON. Clients give models some 25,000 tokens of a result. */
export const mostCharacters = 48_000;

const usual: Sizes = { text: 4_000, entries: Number.POSITIVE_INFINITY };
/** For an entry that does not fit otherwise. */
const tight: Sizes = { text: 200, entries: 50 };

export interface BoundedData {
  data: unknown;
  isCut: boolean;
  /** The entries shown: from index `from` to before `to`, `of` in all. Undefined for data without a list. */
  shown?: { from: number; to: number; of: number };
}

/** Cuts data to the size of a result: long texts, and a list after the entries that fit. Undefined if nothing fits. */
export function boundData(data: unknown, list: string | undefined, skip: number): BoundedData | undefined {
  const entries = Array.isArray(data) ? data : list && (data as Record<string, unknown>)[list];
  if (!Array.isArray(entries)) {
    const fitting = fit(data, mostCharacters);
    return fitting && { data: fitting.value, isCut: fitting.isCut };
  }
  const frame = Array.isArray(data) ? undefined : fit({ ...(data as object), [list!]: [] }, mostCharacters);
  if (!frame && !Array.isArray(data)) return undefined;
  const kept: unknown[] = [];
  let room = mostCharacters - (frame?.size ?? 0);
  let isCut = frame?.isCut ?? false;
  for (const entry of entries.slice(skip)) {
    const fitting = fit(entry, room, kept.length === 0 ? [usual, tight] : [usual]);
    if (!fitting) break;
    kept.push(fitting.value);
    room -= fitting.size + 1;
    isCut ||= fitting.isCut;
  }
  if (kept.length === 0 && entries.length > skip) return undefined;
  const shown = { from: skip, to: skip + kept.length, of: entries.length };
  return { data: frame ? { ...(frame.value as object), [list!]: kept } : kept, isCut, shown };
}

function fit(value: unknown, room: number, tries: readonly Sizes[] = [usual, tight]) {
  for (const sizes of tries) {
    const short = shorten(value, sizes);
    const size = JSON.stringify(short.value).length;
    if (size <= room) return { ...short, size };
  }
  return undefined;
}
