import { expect, test } from "vitest";
import { expectNoLeak, expectRefusal } from "../expected-shapes.ts";
import { api, demo, survey } from "./troubled-system.ts";

/** Absent paths, methods and ids; request ids. */
export function testAddresses(): void {
  test.each(["/nothing", "/surveys/aaaaaaaaaaaaaaaa/nothing", "/", "/surveys/../../etc/passwd", "/%2e%2e/x", "/%ff"])(
    "%s is 404 without a token",
    async (path) => {
      expectRefusal(await api.call("GET", path, { headers: { authorization: "" } }), 404, "route_not_found", {});
    },
  );

  test("take only their methods, and say which", async () => {
    for (const [method, path, allowed] of [
      ["DELETE", "/surveys", ["GET", "POST"]],
      ["PUT", `/surveys/${survey.surveyId}`, ["GET", "PATCH"]],
      ["POST", "/health", ["GET"]],
      ["PATCH", "/events", ["GET"]],
    ] as const) {
      const answer = await api.call(method, path, { headers: { authorization: "" } });
      expectRefusal(answer, 405, "method_not_allowed", {});
      expect(answer.headers.get("allow")!.split(", ").sort()).toEqual(expect.arrayContaining([...allowed]));
    }
  });

  test("without the id they need are 400", async () => {
    for (const path of ["/surveys/", "/tokens/", "/event-subscriptions/", "/response/surveys//aggregation"]) {
      expectRefusal(await api.call("GET", path), 400, "invalid_request");
    }
  });

  test("outside the API are no leak either", async () => {
    const answer = await fetch(`${demo.system.local.publicUrl}/nothing`);
    expect(answer.status).toBe(404);
    expectNoLeak(await answer.text());
  });

  test("keep a well-formed request id, and replace any other", async () => {
    const withId = (id: string) => api.call("GET", "/surveys", { headers: { "x-request-id": id } });
    expect((await withId("my-request-7")).headers.get("x-request-id")).toBe("my-request-7");
    for (const id of ["has space", "x".repeat(129), "ü"]) {
      expect((await withId(id)).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
}
