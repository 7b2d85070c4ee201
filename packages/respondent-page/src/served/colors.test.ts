import * as fc from "fast-check";
import { expect, test } from "vitest";
import { colorsOf, contrast } from "./colors.ts";

const papers = { light: "#ffffff", dark: "#16181d", contrast: "#ffffff" } as const;
const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

test.each(["light", "dark", "contrast"] as const)("any colour can be read in the theme %s", (theme) => {
  const check = (wanted: string) => {
    const { primary, onPrimary } = colorsOf(theme, wanted);
    expect(contrast(primary, papers[theme])).toBeGreaterThanOrEqual(theme === "contrast" ? 7 : 4.5);
    expect(contrast(primary, onPrimary)).toBeGreaterThanOrEqual(4.5);
  };
  fc.assert(fc.property(color, check));
});

test("a colour that can be read stays", () => {
  expect(colorsOf("light", "#0b5a4a")).toEqual({ primary: "#0b5a4a", onPrimary: "#ffffff" });
});
