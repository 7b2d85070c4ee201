import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { TokenService } from "@canvass/proto/token";
import { createRpcClient } from "@canvass/rpc";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, startTokenSystem, type TokenSystem, type Workspace } from "./token-system.ts";

let system: TokenSystem;
let home: Workspace;

beforeAll(async () => {
  system = await startTokenSystem();
  home = await system.createWorkspace();
});
afterAll(() => system[Symbol.asyncDispose]());

const use = (tokenId: string, usedAt: Date, clientAddress = "192.0.2.1") => ({
  tokenId,
  usedAt: timestampFromDate(usedAt),
  clientAddress,
});
const read = async (tokenId: string) =>
  (await system.peer.getToken({ tokenId }, await system.as(home.tokenValue))).token!;
const minutesAgo = (count: number) => new Date(system.clock.now().getTime() - count * 60_000);

test("the last use is shown wherever a token is", async () => {
  const { token } = await system.createToken(home.tokenValue);
  const { tokenId } = token!;
  const unused = await read(tokenId);
  expect([unused.lastUsedAt, unused.lastUsedIp]).toEqual([undefined, ""]);
  await system.peer.recordTokenUses({ uses: [use(tokenId, minutesAgo(3)), use(home.tokenId, minutesAgo(2), "")] });
  const shown = await read(tokenId);
  expect([timestampDate(shown.lastUsedAt!), shown.lastUsedIp]).toEqual([minutesAgo(3), "192.0.2.1"]);
  const options = await system.as(home.tokenValue);
  const { tokens } = await system.peer.listTokens({}, options);
  expect(tokens).toContainEqual(shown);
  expect(tokens.find((each) => each.tokenId === home.tokenId)).toMatchObject({ lastUsedIp: "" });
  const renamed = await system.peer.updateToken({ tokenId, name: "renamed" }, options);
  expect(renamed.token).toEqual({ ...shown, name: "renamed" });
  const rotated = await system.peer.rotateToken({ tokenId }, options);
  expect(rotated.token!.lastUsedAt).toBeUndefined();
});

test("an earlier use than the stored one changes nothing, in any order of reports", async () => {
  const { token } = await system.createToken(home.tokenValue);
  const { tokenId } = token!;
  const uses = Array.from({ length: 30 }, (_, index) => use(tokenId, minutesAgo((index * 7) % 30), `192.0.2.${index}`));
  await Promise.all(uses.map((each) => system.peer.recordTokenUses({ uses: [each] })));
  expect(await read(tokenId)).toMatchObject({ lastUsedAt: timestampFromDate(minutesAgo(0)), lastUsedIp: "192.0.2.0" });
  await system.peer.recordTokenUses({ uses: uses.slice(3, 9) });
  expect((await read(tokenId)).lastUsedIp).toBe("192.0.2.0");
});

test("a batch may have a token twice, revoked tokens and invalid ones", async () => {
  const [first, second] = [await system.createToken(home.tokenValue), await system.createToken(home.tokenValue)];
  const [one, two] = [first.token!.tokenId, second.token!.tokenId];
  await system.peer.revokeToken({ tokenId: two }, await system.as(home.tokenValue));
  await system.peer.recordTokenUses({
    uses: [
      use(one, minutesAgo(5), "old"),
      use(one, minutesAgo(1), "new"),
      use(one, minutesAgo(3), "older"),
      use(two, minutesAgo(1)),
      use("0".repeat(16), minutesAgo(1)),
      use("a\u0000", minutesAgo(1)),
      { tokenId: one },
    ],
  });
  expect(await read(one)).toMatchObject({ lastUsedIp: "new" });
  expect(await system.sql("SELECT 1 FROM token_uses WHERE token_id = $1", ["0".repeat(16)])).toEqual([]);
  const uses = Array.from({ length: 501 }, () => use(one, minutesAgo(1)));
  expect(await codeOf(system.peer.recordTokenUses({ uses }))).toBe("invalid_request");
});

test("a use neither changes the token's version nor waits for a write that holds it", async () => {
  const { tokenId } = home;
  const version = () => system.sql("SELECT xmin::text, xmax::text FROM api_tokens WHERE token_id = $1", [tokenId]);
  const before = await version();
  const holder = await system.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT 1 FROM api_tokens WHERE token_id = $1 FOR UPDATE", [tokenId]);
  await system.peer.recordTokenUses({ uses: [use(tokenId, minutesAgo(0), "192.0.2.99")] }, { timeoutMs: 20_000 });
  await holder.query("ROLLBACK");
  holder.release();
  expect((await read(tokenId)).lastUsedIp).toBe("192.0.2.99");
  expect((await version())[0]!["xmin"]).toBe(before[0]!["xmin"]);
});

test("only processes of the installation report uses", async () => {
  await using unauthenticated = createRpcClient(TokenService, { url: system.url });
  const uses = [use(home.tokenId, minutesAgo(0))];
  expect(await codeOf(unauthenticated.recordTokenUses({ uses }, await system.as(home.tokenValue)))).toBe(
    "unauthorized",
  );
});
