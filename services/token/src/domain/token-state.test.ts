import { expect, test } from "vitest";
import { tokenState } from "./token-state.ts";

const now = new Date("2026-03-01T12:00:00Z");
const later = new Date(now.getTime() + 1);

test.each([
  [null, null, "active"],
  [null, later, "active"],
  [null, now, "expired"],
  [now, later, "revoked"],
  [now, now, "revoked"],
])("revoked %j, expiring %j: %s", (revokedAt, expiresAt, state) => {
  expect(tokenState({ revokedAt, expiresAt }, now)).toBe(state);
});
