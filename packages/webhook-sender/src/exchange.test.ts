import fc from "fast-check";
import { expect, test } from "vitest";
import { createStatusLineReader, responseText } from "./exchange.ts";

/** Returns the status that the reader finds in a text, which comes in chunks that end at `cuts`. */
function readStatusOf(text: string, cuts: readonly number[] = []): number | undefined {
  const readStatus = createStatusLineReader();
  const ends = [...cuts.map((cut) => cut % text.length).toSorted((a, b) => a - b), text.length];
  let start = 0;
  for (const end of ends) {
    const status = readStatus(Buffer.from(text.slice(start, end), "latin1"));
    if (status !== undefined) return status;
    start = end;
  }
  return undefined;
}

test.each([
  ["HTTP/1.1 200 OK\r\n", 200],
  ["HTTP/1.1 200\r\n", 200],
  ["HTTP/1.1 200 \r\n", 200],
  ["HTTP/1.0 404 Not Found\n", 404],
  ["\r\nHTTP/1.1 200 OK\r\n", 200],
  ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n", 204],
  ["HTTP/1.1 103 Early Hints\r\nLink: HTTP/1.1 500 x\r\n\r\nHTTP/1.1 200 OK\r\n", 200],
  ["HTTP/1.1 200 OK", undefined],
  ["HTTP/1.1 100 Continue\r\nHTTP/1.1 200 OK\r\n", undefined],
  ["HTTP/1.1 101 Switching Protocols\r\n\r\n", undefined],
  ["HTTP/1.1 2000 OK\r\n", undefined],
  ["HTTP/1.1 20 OK\r\n", undefined],
  ["220 mail.example ESMTP\r\n", undefined],
  ["220 mail.example ESMTP\r\n\r\nHTTP/1.1 200 OK\r\n", undefined],
])("%j has the status %s", (text, status) => {
  expect(readStatusOf(text)).toBe(status);
});

test("the status is read however the bytes are cut into chunks", () => {
  const text = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 201 Created\r\n";
  fc.assert(
    fc.property(fc.array(fc.nat()), (cuts) => {
      expect(readStatusOf(text, cuts)).toBe(201);
    }),
  );
});

test("text is kept up to 256 bytes, in whole characters", () => {
  expect(responseText(Buffer.from("thank you"))).toBe("thank you");
  expect(responseText(Buffer.from(`${"a".repeat(255)}é`))).toBe("a".repeat(255));
  expect(responseText(Buffer.from("é".repeat(200)))).toBe("é".repeat(128));
});

test("NUL and invalid UTF-8, which a database refuses, are replaced", () => {
  expect(responseText(Buffer.from([0x61, 0, 0xff, 0x62]))).toBe("a\uFFFD\uFFFDb");
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const text = responseText(bytes);
      expect(text).not.toContain("\0");
      expect(text.isWellFormed()).toBe(true);
    }),
  );
});
