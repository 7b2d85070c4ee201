import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { surveyId } from "./fake-services.ts";
import { startEdge, type Edge } from "./start-edge.ts";

let edge: Edge;
let created = 0;
beforeAll(async () => {
  const survey = { surveyId, name: "Lunch", questionCount: 0, settingsJson: "{}" };
  edge = await startEdge({
    survey: {
      createSurvey: async () => {
        created += 1;
        return { survey };
      },
    },
  });
});
afterAll(() => edge[Symbol.asyncDispose]());

/** Sends requests and ends its side behind them, as `nc -N` does. Returns all that arrives until the gateway closes. */
async function answerTo(...requests: string[]): Promise<string> {
  const socket = connect({ port: Number(new URL(edge.url).port), host: "127.0.0.1", allowHalfOpen: true });
  let received = "";
  socket.on("data", (bytes) => (received += bytes.toString()));
  socket.end(requests.join(""));
  await once(socket, "end");
  await once(socket, "close");
  return received;
}

const request = (line: string, body = "") => {
  const { value } = edge.services.issueToken(["full_access"]);
  const headers = [`Host: x`, `Authorization: Bearer ${value}`];
  if (body) headers.push("Content-Type: application/json", `Content-Length: ${body.length}`);
  return `${line} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n${body}`;
};

test("a write whose sender has ended its side is answered, then the connection closes", async () => {
  const received = await answerTo(request("POST /api/v1/surveys", `{"name":"Lunch"}`));
  expect(created).toBe(1);
  expect(received).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
  expect(JSON.parse(received.slice(received.indexOf("\r\n\r\n")))).toMatchObject({ success: true });
});

test("a write of many packets whose sender has ended its side is answered", async () => {
  created = 0;
  const received = await answerTo(request("POST /api/v1/surveys", `{"name":"Lunch"}${" ".repeat(900_000)}`));
  expect(received).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
  expect(created).toBe(1);
});

test("all requests that were sent before the sender ended its side are answered", async () => {
  const received = await answerTo(
    request("GET /api/v1/errors"),
    request("GET /nothing"),
    request("GET /api/v1/errors"),
  );
  expect(received.match(/HTTP\/1\.1 \d{3}(?= )/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 404", "HTTP/1.1 200"]);
});

test.each([
  ["no request", () => "xx"],
  ["half of a head", () => "GET /api/v1/err"],
  ["half of a body", () => request("POST /api/v1/surveys", `{"name":"Dinner"}`).slice(0, -3)],
])("whole requests are answered also with %s behind them", async (_, rest) => {
  created = 0;
  const received = await answerTo(
    request("POST /api/v1/surveys", `{"name":"Lunch"}`),
    request("GET /api/v1/errors"),
    rest(),
  );
  expect(received.match(/HTTP\/1.1 \d{3}(?= )/g)).toEqual(["HTTP/1.1 201", "HTTP/1.1 200"]);
  expect(created).toBe(1);
});

test("a request that is refused before its body is whole has one answer", async () => {
  const head = ["POST /api/v1/surveys HTTP/1.1", "Host: x", "Authorization: Bearer nope", "Content-Length: 100000"];
  const received = await answerTo(`${head.join("\r\n")}\r\nContent-Type: application/json\r\n\r\n${" ".repeat(5_000)}`);
  expect(received.match(/HTTP\/1.1 \d{3}(?= )/g)).toEqual(["HTTP/1.1 401"]);
});

test("a request that ends before it is whole is refused", async () => {
  const whole = request("POST /api/v1/surveys", `{"name":"Lunch"}`);
  const received = await answerTo(whole.slice(0, -3));
  expect(received).not.toMatch(/^HTTP\/1\.1 2/);
  expect(created).toBe(1);
});

test("a client that ends its side without a request gets nothing", async () => {
  expect(await answerTo("")).toBe("");
});
