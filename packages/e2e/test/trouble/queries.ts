import { expect, test } from "vitest";
import { expectRefusal } from "../expected-shapes.ts";
import { createWorkspace } from "../second-workspace.ts";
import { api, demo } from "./troubled-system.ts";

/** Faults of a query, such as cursors of other lists. */
export function testQueries(): void {
  test.each([
    ["/surveys?limit=0", "limit"],
    ["/surveys?limit=101", "limit"],
    ["/surveys?limit=ten", "limit"],
    ["/surveys?sort=colour", "sort"],
    ["/surveys?active=2", "active"],
    ["/surveys?surprise=1", "surprise"],
    ["/surveys?cursor=made-up", "cursor"],
    ["/events?limit=101", "limit"],
    ["/events?cursor=made-up", "cursor"],
  ])("%s is 422 on what is wrong", async (path, field) => {
    expectRefusal(await api.call("GET", path), 422, "validation_failed", { [field]: [expect.any(String)] });
  });

  test("with a cursor of another list, filter or workspace is 422", async () => {
    await using other = await createWorkspace(demo.system);
    const { cursor_next: cursor } = (await api.get("/surveys?limit=1")).body.pagination;
    const encoded = encodeURIComponent(cursor);
    expect((await api.call("GET", `/surveys?limit=1&cursor=${encoded}`)).status).toBe(200);
    const misuses = [
      await api.call("GET", `/surveys?limit=1&active=1&cursor=${encoded}`),
      await api.call("GET", `/events?cursor=${encoded}`),
      await other.api.call("GET", `/surveys?limit=1&cursor=${encoded}`),
      await api.call("GET", `/surveys?limit=1&cursor=${encoded.slice(0, -2)}aa`),
    ];
    for (const misuse of misuses) {
      expectRefusal(misuse, 422, "validation_failed", { cursor: [expect.any(String)] });
    }
  });
}
