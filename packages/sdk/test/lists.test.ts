import { expect, test } from "vitest";
import { refuse, sendPage, serve } from "./serve.ts";

test("a list yields all pages, short and empty ones too, and reads no page ahead", async () => {
  const pages: [string[], string | null, boolean][] = [
    [["a", "b"], "1", true],
    [[], "2", true],
    [[], "2", true],
    [["c"], "3", true],
    [[], "3", false],
  ];
  await using server = await serve((response, _seen, number) => {
    // A failure between pages loses nothing.
    if (number === 3) return refuse(response, 503, "service_unavailable", { retryable: true, "retry-after": "0" });
    const [ids, cursor, hasMore] = pages[number > 3 ? number - 2 : number - 1]!;
    sendPage(
      response,
      ids.map((id) => ({ id })),
      cursor,
      hasMore,
    );
  });
  const list = server.canvass.responses.list("s1", { limit: 2, completed: true });
  expect(server.seen).toHaveLength(0);
  expect((await list.next()).value).toEqual({ id: "a" });
  expect(server.seen).toHaveLength(1);
  const rest = await Array.fromAsync(list);
  expect(rest.map(({ id }) => id)).toEqual(["b", "c"]);
  expect(server.seen.map(({ query }) => query.get("cursor"))).toEqual(["", "1", "2", "2", "2", "3"]);
  expect(server.seen.every(({ query }) => query.get("limit") === "2" && query.get("completed") === "true")).toBe(true);
});

test("a list without cursors has one page", async () => {
  await using server = await serve((response) => sendPage(response, [{ id: "a" }], null, false));
  expect(await Array.fromAsync(server.canvass.surveys.list())).toEqual([{ id: "a" }]);
  expect(server.seen[0]!.query.has("cursor")).toBe(false);
});
