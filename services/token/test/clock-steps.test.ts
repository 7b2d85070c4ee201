import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { sharedByFile } from "@canvass/testing/shared-by-file";
import { expect, test } from "vitest";
import { startTokenSystem } from "./token-system.ts";

const HOUR = 3_600_000;

const system = await sharedByFile(startTokenSystem());

test("a token is validated by the current clock, also after it was changed; a revoked one stays revoked", async () => {
  const { clock } = system;
  const { tokenValue: owner } = await system.createWorkspace();
  const start = clock.now().getTime();
  const expiresAt = new Date(start + 30 * 60_000);
  const { tokenValue } = await system.createToken(owner, { expiresAt });
  const revoked = await system.createToken(owner);
  const states: unknown[] = [];
  const evaluate = async (value: string) => {
    const caller = await system.authenticate(value);
    return typeof caller === "string" ? caller : "a caller";
  };
  for (const at of [start, start + HOUR, start - HOUR, expiresAt.getTime() - 1, expiresAt.getTime(), start]) {
    clock.set(new Date(at));
    states.push(await evaluate(tokenValue));
  }
  expect(states).toEqual(["a caller", "token_expired", "a caller", "a caller", "token_expired", "a caller"]);
  clock.advance(HOUR);
  await system.peer.revokeToken({ tokenId: revoked.token!.tokenId }, await system.as(owner));
  for (const at of [start, start - HOUR]) {
    clock.set(new Date(at));
    expect(await evaluate(revoked.tokenValue)).not.toBe("a caller");
  }
});

test.each([
  ["a gateway", HOUR, 0],
  ["this service", 0, HOUR],
])("a use while the clock of %s was ahead gives way to the next one", async (_whose, gatewayAheadMs, aheadMs) => {
  const { clock } = system;
  const { tokenValue, tokenId } = await system.createWorkspace();
  const start = clock.now().getTime();
  const use = async (atMs: number, clientAddress: string) => {
    const usedAt = timestampFromDate(new Date(atMs));
    await system.peer.recordTokenUses({ uses: [{ tokenId, usedAt, clientAddress }] });
  };
  clock.advance(aheadMs);
  await use(clock.now().getTime() + gatewayAheadMs, "192.0.2.1");
  clock.set(new Date(start + 1000));
  await use(start + 500, "192.0.2.2");
  const { token } = await system.peer.getToken({ tokenId }, await system.as(tokenValue));
  expect([timestampDate(token!.lastUsedAt!).getTime(), token!.lastUsedIp]).toEqual([start + 500, "192.0.2.2"]);
});
