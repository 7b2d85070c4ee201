import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { TokenUse } from "@canvass/proto/token";
import { expect, test } from "vitest";
import { startEdge } from "./start-edge.ts";

test("uses of tokens are reported in batches, also those of failed requests", async () => {
  const batches: TokenUse[][] = [];
  const tokenUsesMs = 200;
  await using edge = await startEdge(
    {
      token: {
        recordTokenUses: async ({ uses }) => {
          batches.push(uses);
          return {};
        },
      },
    },
    { tokenUsesMs },
  );
  const first = edge.services.issueToken(["full_access"]);
  const second = edge.services.issueToken(["exports:write"]);
  const began = Date.now();
  await Promise.all(Array.from({ length: 30 }, () => edge.ask("/tokens/scopes", { token: first.value })));
  expect((await edge.ask("/audit-log", { token: second.value })).status).toBe(403);
  await expect.poll(() => new Set(batches.flat().map(({ tokenId }) => tokenId)).size, { timeout: 20_000 }).toBe(2);
  // One after each pause.
  expect(batches.length).toBeLessThanOrEqual(1 + (Date.now() - began) / tokenUsesMs);
  for (const { tokenId, usedAt, clientAddress } of batches.flat()) {
    expect([first.tokenId, second.tokenId]).toContain(tokenId);
    expect(timestampDate(usedAt!).getTime()).toBeGreaterThanOrEqual(began);
    expect(clientAddress).toBe("127.0.0.1");
  }
});

test("a stop reports the remaining uses", async () => {
  const told: string[] = [];
  const edge = await startEdge({
    token: {
      recordTokenUses: async ({ uses }) => {
        told.push(...uses.map(({ tokenId }) => tokenId));
        return {};
      },
    },
  });
  const token = edge.services.issueToken(["full_access"]);
  await edge.ask("/tokens/scopes", { token: token.value });
  expect(told).toEqual([]);
  await edge[Symbol.asyncDispose]();
  expect(told).toEqual([token.tokenId]);
});

test("a token service that takes no uses keeps no request waiting", async () => {
  await using edge = await startEdge(
    { token: { recordTokenUses: () => new Promise(() => undefined) } },
    { tokenUsesMs: 20 },
  );
  for (let count = 0; count < 20; count += 1) expect((await edge.ask("/tokens/scopes")).status).toBe(200);
});
