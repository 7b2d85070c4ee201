export type Theme = "light" | "dark" | "contrast";

const themes: Record<Theme, { paper: string; primary: string }> = {
  light: { paper: "#ffffff", primary: "#0b5a4a" },
  dark: { paper: "#16181d", primary: "#7fd6bd" },
  contrast: { paper: "#ffffff", primary: "#000000" },
};

/** Minimum contrast of text (WCAG 2.2, 1.4.3), in the contrast theme enhanced (1.4.6). */
const least = { light: 4.5, dark: 4.5, contrast: 7 };

/** Returns the survey's own colour, adjusted to the contrast that the theme needs, for buttons and marks. */
export function colorsOf(theme: Theme, wanted: string | null): { primary: string; onPrimary: string } {
  const { paper, primary: usual } = themes[theme];
  const primary = readable(wanted ?? usual, paper, least[theme]);
  const onPrimary = contrast(primary, "#ffffff") >= contrast(primary, "#000000") ? "#ffffff" : "#000000";
  return { primary, onPrimary };
}

function readable(color: string, paper: string, wanted: number): string {
  const end = luminance(paper) > 0.5 ? 0 : 255;
  const parts = partsOf(color);
  for (let share = 0; share <= 1; share += 0.02) {
    const moved = hex(parts.map((part) => part + (end - part) * share));
    if (contrast(moved, paper) >= wanted) return moved;
  }
  return hex([end, end, end]);
}

export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(color).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const partsOf = (color: string): number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));

const hex = (parts: number[]): string =>
  `#${parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
