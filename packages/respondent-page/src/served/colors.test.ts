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

const inks = { light: "#1b1f24", dark: "#eceff3", contrast: "#000000" } as const;

test.each(["light", "dark", "contrast"] as const)("texts can be read on any background in the theme %s", (theme) => {
  const check = (wanted: string, behind: string) => {
    const { primary, onPrimary, background } = colorsOf(theme, wanted, behind);
    const { paper, wash, soft, field, fault } = background!;
    const least = theme === "contrast" ? 7 : 4.5;
    for (const surface of [paper, wash]) {
      expect(contrast(inks[theme], surface)).toBeGreaterThanOrEqual(7);
      for (const text of [primary, soft, fault]) expect(contrast(text, surface)).toBeGreaterThanOrEqual(least);
      expect(contrast(field, surface)).toBeGreaterThanOrEqual(3);
    }
    expect(contrast(primary, onPrimary)).toBeGreaterThanOrEqual(4.5);
  };
  fc.assert(fc.property(color, color, check));
});

test("a background on which texts can be read stays", () => {
  expect(colorsOf("light", null, "#fff4e0").background?.paper).toBe("#fff4e0");
  expect(colorsOf("dark", null, "#0b1d3a").background?.paper).toBe("#0b1d3a");
});
