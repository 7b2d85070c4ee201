import { expect, test } from "vitest";
import { refusal } from "../src/token-service/refusal.ts";

const told = (details: Record<string, string>) =>
  refusal(Object.assign(new Error("x"), { code: "service_unavailable", details }), {
    service: "delivery",
    url: "http://127.0.0.1:9",
  })?.message;

test("a busy service is reported as busy, not as unreachable", () => {
  expect(told({ part: "transfer of another workspace" })).toBe(
    "The delivery service cannot do this now (transfer of another workspace); repeat it later.",
  );
  expect(told({})).toBe("The delivery service at http://127.0.0.1:9 cannot be reached.");
});
