import { expect, test } from "vitest";
import { api } from "./troubled-system.ts";

/** The API's own documents. */
export function testDocuments(): void {
  test("health, the list of errors and the OpenAPI document are served as documented", async () => {
    const health = await api.call("GET", "/health", { headers: { authorization: "" } });
    expect(health.status).toBe(200);
    const names = ["token", "survey", "response", "distribution", "webhook", "delivery", "database", "broker"];
    expect(health.data).toEqual({ status: "ok", checks: Object.fromEntries(names.map((name) => [name, "ok"])) });

    const errors = await api.get("/errors");
    expect(errors.data).toContainEqual({
      code: "survey_not_found",
      status: 404,
      message: expect.any(String),
      suggestion: expect.any(String),
      retryable: false,
    });
    const document = await api.call("GET", "/openapi.json", { headers: { authorization: "" } });
    expect(document.body).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), paths: expect.any(Object) });
    const again = await api.call("GET", "/openapi.json", {
      headers: { "if-none-match": document.headers.get("etag")! },
    });
    expect(again.status).toBe(304);
  });
}
