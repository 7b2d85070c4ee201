import { expect, test } from "vitest";
import { malformedJson, notUtf8Error } from "./malformed.ts";

test.each([
  ['{"a":1,}', 1, 8],
  ["{a:1}", 1, 2],
  ['{"a":1,\n "é😀": NaN}', 2, 8],
  ["[1,\n tru]", 2, 2],
  ['{"a":1} x', 1, 9],
  ["[1,2", 1, 5],
  ["01", 1, 2],
  ["// no", 1, 1],
])("%j stops being JSON at line %i, column %i", (text, line, column) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  expect(malformedJson(text)).toMatchObject({
    code: "malformed_json",
    details: { body: [`stops being JSON at line ${line}, column ${column}`] },
  });
});

test("the position of the first invalid byte is reported", () => {
  const bytes = Buffer.concat([Buffer.from('{"a":"é\uFFFD'), Buffer.from([0xe9, 0x22])]);
  expect(notUtf8Error(bytes)).toMatchObject({
    code: "malformed_json",
    details: { body: ["must be UTF-8: byte 12 begins no character"] },
  });
});
