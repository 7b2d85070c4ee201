import { parseTimestamp, type DateTimeMode, type ExportCell } from "@canvass/questions";

/** `moment` is a timestamp, `clock` is wall clock time in the export's time zone. */
export type TimeForm = "text" | "moment" | "clock";

export interface TimeWriter {
  /** `isDay` is set for anonymous respondents, whose time is only a day. */
  respondent: (at: number, isDay: boolean) => string | number;
  /** Returns milliseconds since 1970 (a time of day: since midnight), or the text as answered. */
  answer: (kind: DateTimeMode, cell: ExportCell) => ExportCell;
}

const quarterHourMs = 15 * 60 * 1000;
const mostOffsets = 10_000;
const withOffset = /(?:Z|[+-]\d{2}:\d{2})$/i;

/** Offsets change only at quarters of an hour, so they are cached per quarter. */
export function createTimeWriter(timeZone: string, form: TimeForm): TimeWriter {
  const offsets = new Map<number, number>();
  const offsetOf = (at: number): number => {
    const quarter = Math.floor(at / quarterHourMs);
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      const zoned = Temporal.Instant.fromEpochMilliseconds(quarter * quarterHourMs).toZonedDateTimeISO(timeZone);
      offset = zoned.offsetNanoseconds / 1e6;
      if (offsets.size >= mostOffsets) offsets.clear();
      offsets.set(quarter, offset);
    }
    return offset;
  };
  if (form === "text") {
    const respondent = (at: number, isDay: boolean): string => {
      if (isDay) return new Date(at).toISOString().slice(0, 10);
      const offset = offsetOf(at);
      return new Date(at + offset).toISOString().slice(0, -1) + offsetText(offset);
    };
    return { respondent, answer: (_kind, cell) => cell };
  }
  const onClock = form === "clock";
  return {
    // A day is stored as its midnight in UTC.
    respondent: (at, isDay) => (onClock && !isDay ? at + offsetOf(at) : at),
    answer(kind, cell) {
      const at = typeof cell === "string" ? parseTimestamp(kind, cell) : null;
      // Without an offset it is wall clock time already.
      const isTimestamp = kind === "datetime" && typeof cell === "string" && withOffset.test(cell);
      return at !== null && onClock && isTimestamp ? at + offsetOf(at) : at;
    },
  };
}

function offsetText(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const text = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  return `${offsetMs < 0 ? "-" : "+"}${text}`;
}
