import { expect, test } from "vitest";
import { readPhone } from "./phone.ts";

test.each([
  ["+49 (0)151 2345678", "+491512345678"],
  ["+44 (0) 20 7946 0958", "+442079460958"],
  ["0049 (0)151/123-45678", "+4915112345678"],
  ["00 49 (151) 123-45678", "+4915112345678"],
  ["+1 (202) 555.0123", "+12025550123"],
  // The zero of Italian numbers is part of the number.
  ["+39 06 698 12345", "+390669812345"],
  ["+390669812345", "+390669812345"],
])("%s is read as %s", (text, number) => {
  expect(readPhone(text)).toBe(number);
});

test.each([
  "151 2345678",
  "0151 2345678",
  "+49",
  "+491",
  "+999 12345678",
  "+1 202 555",
  "+1 202 555 01234",
  "call me",
  "",
])("%j is no number of a numbering plan", (text) => expect(readPhone(text)).toBeUndefined());
