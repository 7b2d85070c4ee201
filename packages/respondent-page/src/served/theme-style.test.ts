import { settingsWithDefaults } from "@canvass/questions";
import { expect, test } from "vitest";
import { themeStyle } from "./theme-style.ts";

const styleOf = (display: Record<string, unknown>) => themeStyle(settingsWithDefaults({ display }).display);

test("a survey without a look of its own changes only what the theme computes", () => {
  expect(styleOf({})).toBe("--primary: #0b5a4a; --on-primary: #ffffff; --radius: 10px");
});

test("background, letters and corners come as declarations, and fonts from the device only", () => {
  const style = styleOf({ backgroundColor: "#fff4e0", font: "serif", cornerRadius: 0 });
  expect(style).toContain("--paper: #fff4e0; --wash: ");
  expect(style).toContain("--font: Charter, 'Bitstream Charter'");
  expect(style).toMatch(/serif; --radius: 0px$/);
  expect(style).not.toMatch(/url\(|["<>]/);
});
