import ajvFormats from "ajv-formats";

const { validate } = ajvFormats.default.get("date-time", "full") as { validate: (text: string) => boolean };
const earliest = Date.parse("0001-01-01T00:00:00Z");
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Whether the text is a date and time of RFC 3339 that the rest of the system can hold: within the years 1 to 9999 of
 * UTC, and no leap second, which no clock of ours shows.
 */
export function isDateTime(text: string): boolean {
  if (!validate(text)) return false;
  const time = Date.parse(text);
  return time >= earliest && time <= latest;
}
