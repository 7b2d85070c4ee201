const wallTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const offset = /(?:Z|[+-]\d{2}:\d{2})$/i;

const pad = (value: number) => String(Math.trunc(value)).padStart(2, "0");

/** A date-time as the field of a browser shows it: the local time, without offset. Without one it is UTC. */
export function localMoment(text: string): string {
  const moment = new Date(offset.test(text) ? text : `${text}Z`);
  if (Number.isNaN(moment.getTime())) return text;
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, local.slice(17, 19) === "00" ? 16 : 19);
}

/** The local time of a field with the offset it has here: `2026-01-31T17:30+01:00`. */
export function momentWithOffset(text: string): string {
  const moment = new Date(text);
  if (!wallTime.test(text) || Number.isNaN(moment.getTime())) return text;
  const minutes = -moment.getTimezoneOffset();
  const size = Math.abs(minutes);
  return `${text}${minutes < 0 ? "-" : "+"}${pad(size / 60)}:${pad(size % 60)}`;
}
