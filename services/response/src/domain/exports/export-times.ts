/** How a format holds times: as text, as a moment, or as a reading of the clock in the export's time zone. */
export type TimeForm = "text" | "moment" | "clock";

/** Writes a time of a respondent: milliseconds, or text. Of an anonymous respondent only the day leaves, which it is kept as. */
export type WriteTime = (at: number, isDay: boolean) => string | number;

const quarterHourMs = 15 * 60 * 1000;
const mostOffsets = 10_000;

/** Writers of times in a time zone. Offsets change on quarters of an hour, so each quarter is looked up once. */
export function createTimeWriter(timeZone: string, form: TimeForm): WriteTime {
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
  if (form === "moment") return (at) => at;
  // A day is kept as its midnight in UTC.
  if (form === "clock") return (at, isDay) => (isDay ? at : at + offsetOf(at));
  return (at, isDay) => {
    if (isDay) return new Date(at).toISOString().slice(0, 10);
    const offset = offsetOf(at);
    return new Date(at + offset).toISOString().slice(0, -1) + offsetText(offset);
  };
}

function offsetText(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const text = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  return `${offsetMs < 0 ? "-" : "+"}${text}`;
}
