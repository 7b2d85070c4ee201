import { waitFor } from "@canvass/testing";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiResponse, type ApiClient, type DemoSystem } from "../../src/index.ts";
import { openDatabases, type Databases } from "../databases.ts";
import { expectRefusal } from "../expected-shapes.ts";
import { expectOnce } from "../idempotency-kills/evaluate-write.ts";
import { keyedOperations } from "../keyed-writes/index.ts";
import type { KeyedWrite } from "../keyed-writes/keyed-operation.ts";
import { listAuthenticatedOperations, type Operation } from "../list-operations.ts";
import { sendWrite, shown } from "../send-write.ts";
import type { SharedSystem } from "../shared-system.ts";

let demo: DemoSystem;
let api: ApiClient;
let databases: Databases;

/**
 * Edits of an element pass the RPC of its settings, a score passes that of answers, a check has no effects, and an
 * upload is tested below.
 */
const likeOthers = [
  "DELETE /multiple-choice/{elementId}/choice/{choiceId}",
  "DELETE /multiple-choice/{elementId}/image-choice/{choiceId}",
  "POST /files",
  "POST /nps/{elementId}/response",
  "POST /surveys/{surveyId}/publish/validate",
  "PUT /multiple-choice/{elementId}/choice",
  "PUT /multiple-choice/{elementId}/choices",
  "PUT /multiple-choice/{elementId}/choices/order",
  "PUT /multiple-choice/{elementId}/other",
  "PUT /nps/{elementId}/label",
  "PUT /nps/{elementId}/settings",
  "PUT /rating/{elementId}/label",
  "PUT /rating/{elementId}/settings",
];

/** Each operation, applied once with a key. */
const applied = new Map<string, { write: KeyedWrite; key: string; first: ApiResponse }>();
let rows: Record<string, string>;

const send = (write: KeyedWrite, key: string) => sendWrite(api, write, key);

/** Tests repeated writes with a key. */
export function testReplays(shared: SharedSystem): void {
  beforeAll(async () => {
    ({ demo } = shared);
    ({ api } = await shared.newWorkspace());
    databases = openDatabases(demo.system.local.databaseUrl);
  });
  afterAll(() => databases?.[Symbol.asyncDispose]());

  describe("with a key", () => {
    test.each(keyedOperations)("$name is applied", async ({ name, prepare }) => {
      const write = await prepare({ api, databases, receiver: demo.receiver });
      const key = randomUUID();
      const first = await send(write, key);
      expect(first.status, first.raw).toBeLessThan(300);
      expect(first.headers.get("idempotent-replayed")).toBeNull();
      applied.set(name, { write, key, first });
    });

    test("every write has had all its effects", async () => {
      expect(applied.size).toBe(keyedOperations.length);
      for (const [name, { write }] of applied) {
        if (write.settled) await waitFor(write.settled, { describe: "the background" });
        await expectOnce(write.effects, name);
      }
      rows = await databases.fingerprint();
    });

    test("every operation of a token that takes a key is among them, but those like another", async () => {
      const stepsOf = ({ method, path }: { method: string; path: string }) => [
        method,
        ...path.split("?")[0]!.split("/"),
      ];
      const sent = [...applied.values()].map(({ write }) => stepsOf(write));
      const isSent = (operation: Operation) => {
        const template = stepsOf(operation);
        const fits = (steps: string[]) => template.every((step, at) => step.startsWith("{") || step === steps[at]);
        return sent.some((steps) => steps.length === template.length && fits(steps));
      };
      const operations = (await listAuthenticatedOperations(api)).filter(({ takesKey }) => takesKey);
      expect(operations.length).toBeGreaterThan(40);
      const others = operations.filter((operation) => !isSent(operation));
      expect(others.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(likeOthers);
    });

    test.each(keyedOperations)("$name is repeated with the first answer to the byte", async ({ name }) => {
      const { write, key, first } = applied.get(name)!;
      const replays = await Promise.all([send(write, key), send(write, key), send(write, key)]);
      for (const replay of replays) {
        expect(shown(replay)).toEqual(shown(first));
        expect(replay.headers.get("idempotent-replayed")).toBe("true");
      }
    });

    // One check for all operations: a fingerprint waits until consumers have confirmed every event, which takes
    // seconds.
    test("no repetition of any of them writes anything", async () => {
      expect(await databases.fingerprint()).toEqual(rows);
    });
  });

  describe.each(keyedOperations)("$name", ({ prepare }) => {
    test("refuses its key for another body, however invalid that is", async () => {
      const write = await prepare({ api, databases, receiver: demo.receiver });
      const key = randomUUID();
      const first = await send(write, key);
      expect(first.status, first.raw).toBeLessThan(300);
      const { "if-match": _, ...withoutIfMatch } = write.headers ?? {};
      // An operation without a body refuses any body before it checks the key.
      const others: KeyedWrite[] = (write.body === undefined ? [{}] : [write.invalidBody, { other: true }]).flatMap(
        (body) => [
          { ...write, body },
          { ...write, body, headers: withoutIfMatch },
        ],
      );
      for (const other of others) expectRefusal(await send(other, key), 409, "idempotency_key_reused");
      // The key still belongs to its first write.
      expect(shown(await send(write, key))).toEqual(shown(first));
    });

    test("does not use a key up when it is refused", async () => {
      const write = await prepare({ api, databases, receiver: demo.receiver });
      const key = randomUUID();
      const refused = await send({ ...write, body: write.invalidBody }, key);
      expect([400, 422], refused.raw).toContain(refused.status);
      const accepted = await send(write, key);
      expect(accepted.status, accepted.raw).toBeLessThan(300);
      expect(accepted.headers.get("idempotent-replayed")).toBeNull();
    });
  });

  describe("keys", () => {
    const create = (key: string, token?: string) =>
      api.call("POST", "/surveys", {
        body: { name: "Keyed" },
        headers: { "idempotency-key": key, ...(token && { authorization: `Bearer ${token}` }) },
      });

    test("belong to a token, a method and a path", async () => {
      const { data } = await api.post("/tokens", { name: "other", scopes: ["full_access"] });
      const key = randomUUID();
      const answers = [await create(key), await create(key, data.token)];
      expect(new Set(answers.map((answer) => answer.data.id)).size).toBe(2);
      const elsewhere = await api.call("POST", `/response/surveys/${answers[0]!.data.id}/respondents`, {
        body: { name: "Keyed" },
        headers: { "idempotency-key": key },
      });
      expectRefusal(elsewhere, 422, "validation_failed", { name: [expect.stringContaining("is not a known field")] });
    });

    test.each(["", "has a space", "ä", "x".repeat(129)])(
      "that are malformed are refused by the header's name: %j",
      async (key) => {
        const before = await databases.countRows();
        const answer = await create(key);
        expectRefusal(answer, 422, "validation_failed", { "Idempotency-Key": [expect.any(String)] });
        expect(await databases.countRows()).toEqual(before);
      },
    );

    test("of 1 and of 128 characters are accepted and replay", async () => {
      for (const key of ["!", "~".repeat(128)]) {
        const first = await create(key);
        expect(shown(await create(key))).toEqual(shown(first));
      }
    });

    test("compare raw bytes: the same JSON written differently is another body", async () => {
      const key = randomUUID();
      const send = (body: string) => api.call("POST", "/surveys", { body, headers: { "idempotency-key": key } });
      expect((await send('{"name":"Bytes"}')).status).toBe(201);
      expectRefusal(await send('{ "name":"Bytes"}'), 409, "idempotency_key_reused");
    });

    test("of an upload are judged by its content, and leave one file", async () => {
      const asked = { type: "file_upload", text: "Your list", typeSettings: { extensions: ["txt"] } };
      const { data: survey } = await api.post("/surveys", { name: "Files", questions: [asked] });
      await api.post(`/surveys/${survey.id}/publish`, {}, { "if-match": "*" });
      const [{ id: elementId }] = (await api.get(`/surveys/${survey.id}/elements`)).data;
      const key = randomUUID();
      const part = (name: string, value: string) =>
        `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
      const upload = (content: string) =>
        api.call("POST", "/files", {
          body: `${part("surveyId", survey.id)}${part("elementId", elementId)}${part('file"; filename="a.txt', content)}--b--\r\n`,
          headers: { "content-type": "multipart/form-data; boundary=b", "idempotency-key": key },
        });
      const first = await upload("tea");
      expect(first.status, first.raw).toBe(201);
      for (const replay of await Promise.all([upload("tea"), upload("tea")])) {
        expect(shown(replay)).toEqual(shown(first));
        expect(replay.headers.get("idempotent-replayed")).toBe("true");
      }
      expectRefusal(await upload("coffee"), 409, "idempotency_key_reused");
      const files = () =>
        databases.query("response", `SELECT file_id FROM uploaded_files WHERE survey_id = '${survey.id}'`);
      await waitFor(async () => (await files()).length === 1, { describe: "one file" });
      expect(await files()).toEqual([{ file_id: first.data.fileId }]);
    });

    test("do not replay answers that hold a secret", async () => {
      const headers = { "idempotency-key": randomUUID() };
      const body = { name: "twice", scopes: ["surveys:read"] };
      const tokens = [await api.post("/tokens", body, headers), await api.post("/tokens", body, headers)];
      expect(tokens[0]!.data.token).not.toBe(tokens[1]!.data.token);

      const subscription = { name: "once", url: demo.receiver.url };
      const created = await api.post("/event-subscriptions", subscription, headers);
      const again = await api.call("POST", "/event-subscriptions", { body: subscription, headers });
      expectRefusal(again, 409, "duplicate_subscription", { subscription_id: created.data.id });

      const rotate = () => api.post(`/event-subscriptions/${created.data.id}/rotate-secret`, undefined, headers);
      const secrets = [created, await rotate(), await rotate()].map(({ data }) => data.secret);
      expect(new Set(secrets).size).toBe(3);
    });
  });
}
