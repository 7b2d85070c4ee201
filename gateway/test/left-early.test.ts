import { create } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { ImportSchema } from "@canvass/proto/distribution-contacts";
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { largeBodyLimits } from "../src/plugins/body/accept-large-bodies.ts";
import { startEdge, type Edge } from "./start-edge.ts";

let edge: Edge;
let held = Promise.resolve();
beforeAll(async () => {
  const createImport = async () => ({
    import: create(ImportSchema, { importId: "import0000000000", status: "queued", createdAt: timestampNow() }),
  });
  edge = await startEdge({ beforeAuthentication: () => held, contact: { createImport } });
});
afterAll(() => edge[Symbol.asyncDispose]());

const send = () =>
  edge.call("/contacts/imports/csv", {
    method: "POST",
    body: "email\na@b.c",
    headers: { "content-type": "text/csv" },
  });

/** Begins a body with a token that is not known yet, and leaves while it is asked for. */
async function leaveEarly(): Promise<void> {
  const { value } = edge.services.issueToken(["full_access"]);
  const socket = connect(Number(new URL(edge.url).port), "127.0.0.1").on("error", () => undefined);
  const head = ["POST /api/v1/contacts/imports/csv HTTP/1.1", "Host: x", `Authorization: Bearer ${value}`];
  const bytes = [...head, "Content-Type: text/csv", "Content-Length: 100000", "", "email\n"].join("\r\n");
  await new Promise((resolve) => socket.write(bytes, resolve));
  // A later request is answered after the gateway has read what arrived before.
  await edge.call("/errors");
  socket.resetAndDestroy();
  await once(socket, "close");
}

test("senders of large bodies that leave while their tokens are looked up keep no permit", async () => {
  expect((await send()).status).toBe(202);
  const answer = Promise.withResolvers<void>();
  held = answer.promise;
  for (let count = 0; count < largeBodyLimits.perKey; count += 1) await leaveEarly();
  await edge.call("/errors");
  answer.resolve();
  // A token that is looked up after theirs.
  const { value } = edge.services.issueToken(["full_access"]);
  await edge.call("/contacts/imports/import0000000000", { token: value });
  expect((await send()).status).toBe(202);
});
