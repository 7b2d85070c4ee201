import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, startTokenSystem, type TokenSystem, type Workspace } from "./token-system.ts";

let system: TokenSystem;
let home: Workspace;

beforeAll(async () => {
  system = await startTokenSystem();
  home = await system.createWorkspace();
  // Opens all pooled connections, so that the calls meet in the database.
  const options = await system.as(home.tokenValue);
  await Promise.all(Array.from({ length: 50 }, () => system.peer.listTokens({}, options)));
});
afterAll(() => system[Symbol.asyncDispose]());

test("rotation keeps name, scopes, kind and expiry, and the old value dies", async () => {
  const expiresAt = new Date(system.clock.now().getTime() + 3_600_000);
  const wanted = { name: "nightly", live: false, scopes: ["responses:write"], expiresAt };
  const old = await system.createToken(home.tokenValue, wanted);
  system.clock.advance(1000);
  const rotated = await system.peer.rotateToken({ tokenId: old.token!.tokenId }, await system.as(home.tokenValue));
  expect(rotated.oldTokenId).toBe(old.token!.tokenId);
  expect(rotated.token!.tokenId).not.toBe(old.token!.tokenId);
  expect(rotated.token).toMatchObject({ name: "nightly", live: false, scopes: ["responses:write"] });
  expect(timestampDate(rotated.token!.expiresAt!)).toEqual(expiresAt);
  expect(rotated.tokenValue).toMatch(/^cvs_test_/);
  expect(await system.authenticate(old.tokenValue)).toBe("invalid_token");
  expect(await system.authenticate(rotated.tokenValue)).toMatchObject({ live: false, tokenName: "nightly" });
});

test("of many rotations of one token at the same time exactly one wins", async () => {
  const old = await system.createToken(home.tokenValue);
  const options = await system.as(home.tokenValue);
  const outcomes = await Promise.all(
    Array.from({ length: 16 }, () => codeOf(system.peer.rotateToken({ tokenId: old.token!.tokenId }, options))),
  );
  expect(outcomes.filter((code) => code === "fine")).toHaveLength(1);
  expect(outcomes.filter((code) => code === "token_not_found")).toHaveLength(15);
  const successors = await system.sql(
    "SELECT after FROM audit_entries WHERE resource_id = $1 AND action = 'token.rotated'",
    [old.token!.tokenId],
  );
  expect(successors).toHaveLength(1);
});

test("tokens that rotate each other, and themselves, at the same time never lock up or double", async () => {
  const workspace = await system.createWorkspace();
  const pair = await Promise.all(
    [0, 1].map(() => system.createToken(workspace.tokenValue, { scopes: ["full_access"] })),
  );
  const calls = await Promise.all(
    pair.flatMap((user) => pair.map(async (target) => ({ options: await system.as(user.tokenValue), target }))),
  );
  const outcomes = await Promise.all(
    [...calls, ...calls].map(({ options, target }) =>
      codeOf(system.peer.rotateToken({ tokenId: target.token!.tokenId }, options)),
    ),
  );
  expect(outcomes.every((code) => ["fine", "token_not_found", "invalid_token"].includes(code))).toBe(true);
  const wins = outcomes.filter((code) => code === "fine").length;
  const [count] = await system.sql("SELECT count(*)::int AS n FROM api_tokens WHERE workspace_id = $1", [
    workspace.workspaceId,
  ]);
  expect(count!["n"]).toBe(3 + wins);
  expect(wins).toBeGreaterThan(0);
  expect(wins).toBeLessThanOrEqual(2);
});

test("a token that is rotated and revoked at the same time is either the one or the other", async () => {
  const workspace = await system.createWorkspace();
  const options = await system.as(workspace.tokenValue);
  for (let round = 0; round < 10; round += 1) {
    const { token, tokenValue } = await system.createToken(workspace.tokenValue);
    const { tokenId } = token!;
    const [rotated, revoked] = await Promise.all([
      codeOf(system.peer.rotateToken({ tokenId }, options)),
      codeOf(system.peer.revokeToken({ tokenId }, options)),
    ]);
    expect([rotated, revoked].sort()).toEqual(["fine", "token_not_found"]);
    expect(await system.authenticate(tokenValue)).toBe("invalid_token");
    const { tokens } = await system.peer.listTokens({}, options);
    const successors = tokens.filter(({ name }) => name === "a token");
    expect(successors).toHaveLength(rotated === "fine" ? 1 : 0);
    for (const successor of successors) await system.peer.revokeToken({ tokenId: successor.tokenId }, options);
  }
});
