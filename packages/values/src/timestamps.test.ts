import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseDate, parseDateTime, parseInstant, parseTime } from "./timestamps.ts";

test.each([
  ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
  ["2026-01-31T12:00:00.1234Z", "2026-01-31T12:00:00.123Z"],
  ["2026-01-31T12:00:00.999999999999999999999999999999Z", "2026-01-31T12:00:00.999Z"],
  ["1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"],
  ["2026-01-31t12:00:00.123456789z", "2026-01-31T12:00:00.123Z"],
  ["2026-01-31T12:00:00+05:30", "2026-01-31T06:30:00.000Z"],
  ["2026-01-31T12:00:00-00:00", "2026-01-31T12:00:00.000Z"],
  ["2026-01-31T12:00Z", "2026-01-31T12:00:00.000Z"],
  ["2024-02-29T23:59:59-23:59", "2024-03-01T23:58:59.000Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
  ["9999-12-31T23:59:59.9999Z", "9999-12-31T23:59:59.999Z"],
  // The leap second after 2016, in three zones, counts as the next second.
  ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
  ["2016-12-31T15:59:60-08:00", "2017-01-01T00:00:00.000Z"],
  ["2017-01-01T05:29:60.75+05:30", "2017-01-01T00:00:00.750Z"],
])("%s is the moment %s", (text, timestamp) => {
  expect(parseInstant(text)?.toISOString()).toBe(timestamp);
});

test.each([
  "2026-02-29T00:00:00Z",
  "2026-01-31T24:00:00Z",
  "2026-01-31T12:60:00Z",
  "2026-01-31T12:00:61Z",
  "2026-01-31T12:00:60Z",
  "2016-12-31T23:59:60+01:00",
  "2016-12-30T23:59:60Z",
  "2026-01-31T12:00:00.Z",
  "2026-01-31T12:00:00,5Z",
  "2026-01-31T12:00:00",
  "2026-01-31 12:00:00Z",
  "2026-01-31T12:00:00+24:00",
  "2026-01-31T12:00:00+0530",
  "2026-01-31T12Z",
  "20260131T120000Z",
  "2026-01-31T12:00:00Z[UTC]",
  " 2026-01-31T12:00:00Z",
  "2026-01-31T12:00:00Z\n",
  "2026-01-31",
  "12026-01-31T12:00:00Z",
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00+00:01",
  "9999-12-31T23:59:59.999-00:01",
  "9999-12-31T23:59:60Z",
  "now",
  "",
])("%j is no moment", (text) => {
  expect(parseInstant(text)).toBeNull();
});

test("any timestamp, with any digits and offset, is parsed as Temporal parses it", () => {
  const nanoseconds = fc.bigInt({ min: -62_000_000_000n * 10n ** 9n, max: 253_000_000_000n * 10n ** 9n });
  const minutes = fc.integer({ min: -1439, max: 1439 });
  fc.assert(
    fc.property(nanoseconds, minutes, fc.integer({ min: 0, max: 9 }), (epoch, shift, digits) => {
      const sign = shift < 0 ? "-" : "+";
      const [hours, rest] = [Math.floor(Math.abs(shift) / 60), Math.abs(shift) % 60];
      const timeZone = `${sign}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
      const text = new Temporal.Instant(epoch).toString({ timeZone, fractionalSecondDigits: digits as 0 });
      expect(parseInstant(text)?.getTime()).toBe(Temporal.Instant.from(text).epochMilliseconds);
      expect(parseDateTime(text)).toBe(Temporal.Instant.from(text).epochMilliseconds);
    }),
  );
});

test.each([
  ["00:00", 0],
  ["23:59:59.9999", 86_399_999],
  ["17:30:05", 63_005_000],
  ["24:00", null],
  ["12:60", null],
  ["12:00:60", null],
  ["12:00:61", null],
  ["12:00Z", null],
  ["1200", null],
  ["12", null],
])("the time %s is %s milliseconds after midnight", (text, expected) => {
  expect(parseTime(text)).toBe(expected);
});

test.each([
  ["1970-01-01", 0],
  ["2024-02-29", 1_709_164_800_000],
  ["2023-02-29", null],
  ["2026-00-10", null],
  ["2026-1-31", null],
  ["20260131", null],
  ["2026-01-31[u-ca=hebrew]", null],
])("the date %s begins at %s", (text, expected) => {
  expect(parseDate(text)).toBe(expected);
});
