import { expect, test } from "vitest";
import { expectNoTrace } from "../databases.ts";
import { expectRefusal } from "../expected-shapes.ts";
import { api, databases, demo, survey } from "./troubled-system.ts";

/** Faults of a body, from its bytes to its fields. */
export function testBodies(): void {
  const post = (body: string, headers: Record<string, string> = {}) => api.call("POST", "/surveys", { body, headers });

  test.each([
    ["is no JSON", '{"name": ', 10],
    ["has a trailing comma", '{"name":"x",}', 13],
    ["has two values", '{"name":"x"}{}', 13],
  ])("that %s is 400", async (_what, body, column) => {
    expectRefusal(await expectNoTrace(databases, () => post(body)), 400, "malformed_json", {
      body: [`stops being JSON at line 1, column ${column}`],
    });
  });

  test("that is not UTF-8 is 400", async () => {
    const { baseUrl, token } = demo.system.local;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = Buffer.from('{"name":"\xff"}', "latin1");
    const answer = await expectNoTrace(databases, () => fetch(`${baseUrl}/surveys`, { method: "POST", headers, body }));
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: "malformed_json" } });
  });

  test.each([
    ["is missing", ""],
    ["is null", "null"],
  ])("that %s is 400", async (_what, body) => {
    expectRefusal(await expectNoTrace(databases, () => post(body)), 400, "invalid_request", {
      body: [expect.any(String)],
    });
  });

  test.each(["[]", '"text"', "5", "true"])("that is no object, %s, is 422", async (body) => {
    expectRefusal(await expectNoTrace(databases, () => post(body)), 422, "validation_failed");
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/xml", "multipart/form-data; boundary=x"])(
    "of type %s is 415",
    async (type) => {
      const answer = await expectNoTrace(databases, () => post('{"name":"x"}', { "content-type": type }));
      expectRefusal(answer, 415, "unsupported_media_type", { "Content-Type": ["must be application/json"] });
    },
  );

  test("of more than 1 MiB is 413, of exactly 1 MiB is read", async () => {
    const ofLength = (bytes: number) => {
      const around = '{"name":""}'.length;
      return `{"name":"${"x".repeat(bytes - around)}"}`;
    };
    await expectNoTrace(databases, async () => {
      expectRefusal(await post(ofLength(1_048_577)), 413, "payload_too_large", {});
      expectRefusal(await post(ofLength(1_048_576)), 422, "validation_failed", { name: [expect.any(String)] });
    });
  });

  test("of hostile depth or keys is refused", async () => {
    const deep = `{"name":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    const hostile = [deep, '{"name":"x","__proto__":{"active":1}}', '{"name":"x","constructor":{"prototype":{}}}'];
    await expectNoTrace(databases, async () => {
      for (const body of hostile) expect([400, 422]).toContain((await post(body)).status);
    });
  });

  test("with unknown fields and wrong types has every fault named", async () => {
    const body = {
      name: 5,
      language: "not a language",
      type: "survey",
      colour: "red",
      settings: { display: { progressStyle: "wheel", sparkle: true }, weather: {} },
      questions: [
        { type: "rating" },
        { type: "telepathy", text: "?" },
        { type: "multiple_choice", text: "", choices: [7] },
      ],
    };
    const answer = await expectNoTrace(databases, () => api.call("POST", "/surveys", { body }));
    expectRefusal(answer, 422, "validation_failed");
    expect(Object.keys(answer.body.error!.details).sort()).toEqual(
      expect.arrayContaining([
        "colour",
        "language",
        "name",
        "questions.0.text",
        "questions.1.type",
        "questions.2.text",
        "settings.display.progressStyle",
        "settings.display.sparkle",
        "settings.weather",
        "type",
      ]),
    );
    for (const messages of Object.values(answer.body.error!.details)) {
      expect(messages).toEqual(expect.arrayContaining([expect.any(String)]));
    }
  });

  test("of a token operation at fault is 400 with the same details", async () => {
    for (const [body, field] of [
      [{}, "name"],
      [{ name: "" }, "name"],
      [{ name: "x", scopes: ["everything"] }, "scopes"],
      [{ name: "x", scopes: "surveys:read" }, "scopes"],
      [{ name: "x", scopes: [] }, "scopes"],
      [{ name: "x", expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
      [{ name: "x", expires_at: "tomorrow" }, "expires_at"],
      [{ name: "x", admin: true }, "admin"],
    ] as const) {
      const answer = await expectNoTrace(databases, () => api.call("POST", "/tokens", { body }));
      expectRefusal(answer, 400, "invalid_request");
      expect(Object.keys(answer.body.error!.details)[0], JSON.stringify(body)).toMatch(new RegExp(`^${field}`));
    }
  });

  test("without an update is 400", async () => {
    const patch = { headers: { "if-match": "*" }, body: {} };
    await expectNoTrace(databases, async () => {
      expectRefusal(await api.call("PATCH", `/surveys/${survey.surveyId}`, patch), 400, "invalid_request");
      const { id } = (await api.get("/tokens")).data[0];
      expectRefusal(await api.call("PATCH", `/tokens/${id}`, patch), 400, "invalid_request");
    });
  });
}
