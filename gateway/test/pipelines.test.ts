import { connect } from "node:net";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { someSurvey } from "./fake-services.ts";
import { startEdge } from "./start-edge.ts";

/** Starts and ends of calls, in order. */
let steps: string[] = [];
/** Ends the create under way. */
let finish = () => {};
const edge = await sharedByFile(
  startEdge({
    survey: {
      createSurvey: async () => {
        steps.push("create");
        await new Promise<void>((resolve) => (finish = resolve));
        steps.push("created");
        return { survey: someSurvey() };
      },
      listSurveys: async () => {
        steps.push("list");
        return { surveys: [], nextCursor: "" };
      },
    },
  }),
);

/** Sends all requests at once on one connection; `received` is the answers so far. */
function pipeline(...requests: string[]) {
  const socket = connect(Number(new URL(edge.url).port), "127.0.0.1");
  const sent = { received: "", end: () => socket.destroy() };
  socket.on("error", () => undefined);
  socket.on("data", (bytes) => (sent.received += String(bytes)));
  socket.write(requests.join(""));
  steps = [];
  return sent;
}

const head = () => `Host: x\r\nAuthorization: Bearer ${edge.services.issueToken(["full_access"]).value}\r\n`;
const body = 'Content-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"a"}';
const create = () => `POST /api/v1/surveys HTTP/1.1\r\n${head()}${body}`;
const list = () => `GET /api/v1/surveys HTTP/1.1\r\n${head()}\r\n`;
const broken = () => `GET /api/v1/surveys/%zz HTTP/1.1\r\n${head()}\r\n`;

const statuses = (received: string) => [...received.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);

test("a read that was sent behind a write begins when the write is answered, and so does the next write", async () => {
  const sent = pipeline(create(), list(), broken(), create(), list());
  await expect.poll(() => steps).toEqual(["create"]);
  // Another connection does not wait.
  expect((await edge.call("/surveys")).status).toBe(200);
  expect(steps).toEqual(["create", "list"]);
  finish();
  await expect.poll(() => steps).toEqual(["create", "list", "created", "list", "create"]);
  finish();
  await expect.poll(() => statuses(sent.received)).toEqual(["201", "200", "404", "201", "200"]);
  expect(steps.slice(-2)).toEqual(["created", "list"]);
  sent.end();
});

test("a request behind a write is not served once its connection is gone", async () => {
  const sent = pipeline(create(), list());
  await expect.poll(() => steps).toEqual(["create"]);
  sent.end();
  finish();
  await expect.poll(() => steps).toEqual(["create", "created"]);
  expect((await edge.call("/errors")).status).toBe(200);
  expect(steps).toEqual(["create", "created"]);
});
