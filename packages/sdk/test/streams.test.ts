import { expect, test } from "vitest";
import fc from "fast-check";
import type { ServerResponse } from "node:http";
import { readChunks } from "../src/streams/read-chunks.ts";
import { failureOf, refuse, serve, type Seen } from "./serve.ts";

const rows = Array.from({ length: 40 }, (_, index) => ({
  id: `a${index}`,
  value: "ä".repeat(5),
  cursor: String(index),
}));

const text = (from: number) =>
  rows
    .slice(from)
    .map((row) => `${JSON.stringify(row)}\n`)
    .join("");

const fromOf = ({ query }: Seen): number => (query.has("cursor") ? Number(query.get("cursor")) + 1 : 0);

/** Sends the rows behind the cursor, of them so many bytes, and then destroys the connection. */
function sendCut(response: ServerResponse, seen: Seen, bytes: number | undefined) {
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  const whole = Buffer.from(text(fromOf(seen)));
  if (bytes === undefined || bytes >= whole.length) return void response.end(whole);
  response.write(whole.subarray(0, bytes), () => response.socket!.destroy());
}

test("wherever a stream is cut, each row comes once and in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: 1_500 }), { maxLength: 4 }), async (cuts) => {
      await using server = await serve((response, seen, number) => sendCut(response, seen, cuts[number - 1]), {
        retries: 10,
      });
      const found = await Array.fromAsync(server.canvass.responses.stream("s1"));
      expect(found).toEqual(rows);
    }),
    { numRuns: 6 },
  );
});

test("a retryable error as the last line is a cut, another one is thrown after the rows before", async () => {
  await using server = await serve((response, seen, number) => {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    const two = rows.slice(fromOf(seen), fromOf(seen) + 2).map((row) => `${JSON.stringify(row)}\n`);
    response.write(two.join(""));
    response.end(`${JSON.stringify(failureOf(number === 1 ? "deadline_exceeded" : "forbidden", number === 1))}\n`);
  });
  const ids: string[] = [];
  const read = async () => {
    for await (const row of server.canvass.responses.stream("s1", { completed: true })) ids.push(row.id);
  };
  await expect(read()).rejects.toMatchObject({ code: "forbidden" });
  expect(ids).toEqual(["a0", "a1", "a2", "a3"]);
  expect(server.seen.map(({ query }) => query.get("completed"))).toEqual(["true", "true"]);
});

test("a stream begins after its cursor; one that brings nothing new too often throws", async () => {
  await using server = await serve(
    (response, seen, number) => {
      if (number === 1) return sendCut(response, seen, undefined);
      sendCut(response, seen, 0);
    },
    { retries: 1 },
  );
  const rest = await Array.fromAsync(server.canvass.responses.stream("s1", {}, { cursor: "37" }));
  expect(rest.map(({ id }) => id)).toEqual(["a38", "a39"]);
  await expect(Array.fromAsync(server.canvass.responses.stream("s1"))).rejects.toMatchObject({
    code: "connection_failed",
  });
});

test("a signal ends a stream, and leaving the loop closes its connection", async () => {
  let closed = 0;
  await using server = await serve((response) => {
    response.on("close", () => closed++);
    response.writeHead(200, { "content-type": "application/x-ndjson" }).write(text(0));
  });
  const controller = new AbortController();
  const read = async () => {
    for await (const row of server.canvass.responses.stream("s1", {}, { signal: controller.signal })) {
      if (row.id === "a39") controller.abort(new Error("enough"));
    }
  };
  await expect(read()).rejects.toThrow("enough");
  for await (const _row of server.canvass.responses.stream("s1")) break;
  await expect.poll(() => closed).toBe(2);
});

test("a connection that brings nothing for too long counts as cut", async () => {
  await using server = await serve((response) => void response.writeHead(200).write("begun"));
  const chunks = readChunks(await fetch(server.url), undefined, 50);
  expect((await chunks.next()).value).toEqual(new TextEncoder().encode("begun"));
  await expect(chunks.next()).rejects.toMatchObject({ code: "connection_failed", retryable: true });
});

test("a refused stream throws the API's error", async () => {
  await using server = await serve((response) => refuse(response, 404, "survey_not_found"));
  await expect(server.canvass.responses.stream("s1").next()).rejects.toMatchObject({ code: "survey_not_found" });
});
