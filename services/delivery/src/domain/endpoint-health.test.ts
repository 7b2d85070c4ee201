import type { Outcome } from "@canvass/webhook-sender";
import { expect, test } from "vitest";
import { healthChanges } from "./endpoint-health.ts";

const at = (second: number) => new Date(second * 1000);
const signs = (subscriptionId: string, ...outcomes: Outcome[]) =>
  outcomes.map((outcome, index) => ({
    delivery: { workspaceId: "w", subscriptionId },
    attemptedAt: at(index),
    outcome,
  }));

test("failures count on until a success", () => {
  const [change] = healthChanges(signs("s", "http_error", "success", "no_response", "connection_error", "gone"));
  expect(change).toMatchObject({ failures: 3, lastSuccessAt: at(1), lastFailureAt: at(4) });
});

test("a batch without success leaves the last one open", () => {
  const [change] = healthChanges(signs("s", "http_error", "http_error"));
  expect(change).toMatchObject({ failures: 2, lastSuccessAt: undefined });
});

test("endpoints are apart, and blocked says nothing about one", () => {
  const changes = healthChanges([...signs("a", "success"), ...signs("b", "blocked"), ...signs("c", "http_error")]);
  expect(changes.map(({ subscriptionId, failures }) => [subscriptionId, failures])).toEqual([
    ["a", 0],
    ["c", 1],
  ]);
});
