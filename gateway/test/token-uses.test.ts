import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { TokenUse } from "@canvass/proto/token";
import { expect, test } from "vitest";
import { startEdge } from "./start-edge.ts";

test("uses of tokens are reported in batches, including those of failed requests", async () => {
  const batches: TokenUse[][] = [];
  await using edge = await startEdge(
    {
      token: {
        recordTokenUses: async ({ uses }) => {
          batches.push(uses);
          return {};
        },
      },
    },
    { tokenUsesMs: 20 },
  );
  const first = edge.services.issueToken(["full_access"]);
  const second = edge.services.issueToken(["exports:write"]);
  const began = Date.now();
  await Promise.all(Array.from({ length: 30 }, () => edge.call("/tokens/scopes", { token: first.value })));
  expect((await edge.call("/audit-log", { token: second.value })).status).toBe(403);
  await expect.poll(() => new Set(batches.flat().map(({ tokenId }) => tokenId)).size).toBe(2);
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
  await edge.call("/tokens/scopes", { token: token.value });
  expect(told).toEqual([]);
  await edge[Symbol.asyncDispose]();
  expect(told).toEqual([token.tokenId]);
});

test("while the token service does not take reports of uses, requests are served", async () => {
  const held = Promise.withResolvers<object>();
  await using edge = await startEdge({ token: { recordTokenUses: () => held.promise } }, { tokenUsesMs: 20 });
  for (let count = 0; count < 20; count += 1) expect((await edge.call("/tokens/scopes")).status).toBe(200);
  held.resolve({});
});
