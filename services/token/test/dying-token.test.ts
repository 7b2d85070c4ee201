import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, startTokenSystem, type TokenSystem, type Workspace } from "./token-system.ts";

let system: TokenSystem;
let home: Workspace;

beforeAll(async () => {
  system = await startTokenSystem();
  home = await system.createWorkspace();
});
afterAll(() => system[Symbol.asyncDispose]());

test("a token that was revoked can make nothing any more, though its signed caller still lives", async () => {
  const dying = await system.createToken(home.tokenValue, { scopes: ["full_access"] });
  const other = await system.createToken(home.tokenValue);
  const options = await system.as(dying.tokenValue);
  await system.peer.revokeToken({ tokenId: dying.token!.tokenId }, await system.as(home.tokenValue));
  const tokenId = other.token!.tokenId;
  expect(await codeOf(system.peer.createToken({ name: "heir" }, options))).toBe("invalid_token");
  expect(await codeOf(system.peer.rotateToken({ tokenId }, options))).toBe("invalid_token");
  expect(await codeOf(system.peer.updateToken({ tokenId, name: "x" }, options))).toBe("invalid_token");
  expect(await codeOf(system.peer.revokeToken({ tokenId }, options))).toBe("invalid_token");
});

test("creations that race with the revocation of their creator's token do not succeed after it", async () => {
  for (let round = 0; round < 5; round += 1) {
    const giver = await system.createToken(home.tokenValue, { scopes: ["full_access"] });
    const options = await system.as(giver.tokenValue);
    const owner = await system.as(home.tokenValue);
    const [, ...made] = await Promise.all([
      system.peer.revokeToken({ tokenId: giver.token!.tokenId }, owner),
      ...Array.from({ length: 6 }, (_, index) => codeOf(system.peer.createToken({ name: `n${index}` }, options))),
    ]);
    expect(made.every((code) => code === "fine" || code === "invalid_token")).toBe(true);
    expect(await codeOf(system.peer.createToken({ name: "late" }, options))).toBe("invalid_token");
  }
});
