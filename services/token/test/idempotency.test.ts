import type { Replay } from "@canvass/proto/rpc";
import { idempotency as named } from "@canvass/service/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, startTokenSystem, type TokenSystem, type Workspace } from "./token-system.ts";

let system: TokenSystem;
let home: Workspace;

beforeAll(async () => {
  system = await startTokenSystem();
  home = await system.createWorkspace();
});
afterAll(() => system[Symbol.asyncDispose]());

const idempotency = (key: string, body: string, requestId: string) =>
  named(key, body, { requestId, answeredAt: system.clock.now() });

async function newToken(): Promise<string> {
  const { token } = await system.peer.createToken({ name: "first" }, await system.as(home.tokenValue));
  return token!.tokenId;
}

test("a repeated update gives the first answer and writes once", async () => {
  const tokenId = await newToken();
  const replays: Replay[] = [];
  const call = async (name: string, body: string, requestId: string) =>
    system.peer.updateToken(
      { tokenId, name },
      await system.as(home.tokenValue, {
        idempotency: idempotency("update", body, requestId),
        onReplay: (replay) => replays.push(replay),
      }),
    );
  const first = await call("second", "a", "r1");
  await system.peer.updateToken({ tokenId, name: "third" }, await system.as(home.tokenValue));
  expect(await call("second", "a", "r2")).toEqual(first);
  expect(replays.map(({ requestId }) => requestId)).toEqual(["r1"]);
  expect((await system.peer.getToken({ tokenId }, await system.as(home.tokenValue))).token?.name).toBe("third");
  // A reused key wins over the violation in the body.
  expect(await codeOf(call("", "b", "r3"))).toBe("idempotency_key_reused");
});

test("of many equal revocations with one key one works and the others repeat it or wait", async () => {
  const tokenId = await newToken();
  const options = await system.as(home.tokenValue, { idempotency: idempotency("revoke", "", "r1") });
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () => codeOf(system.peer.revokeToken({ tokenId }, options))),
  );
  expect(outcomes.every((code) => code === "fine" || code === "idempotency_in_progress")).toBe(true);
  expect(await codeOf(system.peer.revokeToken({ tokenId }, options))).toBe("fine");
  const entries = await system.sql("SELECT 1 FROM audit_entries WHERE resource_id = $1 AND action = 'token.revoked'", [
    tokenId,
  ]);
  expect(entries).toHaveLength(1);
});

test("a refused change does not use its key up", async () => {
  const tokenId = await newToken();
  const key = { idempotency: idempotency("refused", "a", "r1") };
  expect(await codeOf(system.peer.updateToken({ tokenId, name: "" }, await system.as(home.tokenValue, key)))).toBe(
    "invalid_request",
  );
  expect(await codeOf(system.peer.updateToken({ tokenId, name: "x" }, await system.as(home.tokenValue, key)))).toBe(
    "fine",
  );
});

test("creating and rotating are never replayed and leave no record that could hold a value", async () => {
  await system.sql("DELETE FROM idempotency_records");
  const options = await system.as(home.tokenValue, { idempotency: idempotency("create", "a", "r1") });
  const first = await system.peer.createToken({ name: "once" }, options);
  const second = await system.peer.createToken({ name: "once" }, options);
  expect(second.tokenValue).not.toBe(first.tokenValue);
  const { tokenId } = first.token!;
  expect(await codeOf(system.peer.rotateToken({ tokenId }, options))).toBe("fine");
  expect(await codeOf(system.peer.rotateToken({ tokenId }, options))).toBe("token_not_found");
  expect(await system.sql("SELECT 1 FROM idempotency_records")).toEqual([]);
});
