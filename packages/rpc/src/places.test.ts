import { AppError } from "@canvass/errors";
import { expect, test } from "vitest";
import { createPlaces } from "./places.ts";

const options = { perOwner: 2, together: 4, counted: "streams" } as const;

function codeOf(take: () => Disposable): string {
  try {
    take();
    return "taken";
  } catch (error) {
    return (error as AppError).code;
  }
}

test("an owner that has all it may have is told so, and gets a place again when it gives one back", () => {
  const places = createPlaces(options);
  const [first] = [places.take("a"), places.take("a")];
  expect(() => places.take("a")).toThrow(
    expect.objectContaining({ code: "rate_limited", details: { concurrent_streams: 2 } }),
  );
  first[Symbol.dispose]();
  // Disposing again has no effect.
  first[Symbol.dispose]();
  expect(codeOf(() => places.take("a"))).toBe("taken");
  expect(codeOf(() => places.take("a"))).toBe("rate_limited");
});

test("two owners that keep their places leave some to others", () => {
  const places = createPlaces(options);
  places.take("a");
  places.take("a");
  places.take("b");
  // The remaining slots are for owners without one.
  expect(codeOf(() => places.take("b"))).toBe("service_unavailable");
  const last = places.take("c");
  expect(codeOf(() => places.take("d"))).toBe("service_unavailable");
  last[Symbol.dispose]();
  expect(codeOf(() => places.take("d"))).toBe("taken");
});
