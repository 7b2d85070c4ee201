export type Theme = "light" | "dark" | "contrast";

/** The colours of `page/styles/theme.css` from which those for a background are computed, and the usual colour of buttons. */
const themes = {
  light: { paper: "#ffffff", primary: "#0b5a4a", ink: "#1b1f24", soft: "#57606a", field: "#818a94", fault: "#b3261e" },
  dark: { paper: "#16181d", primary: "#7fd6bd", ink: "#eceff3", soft: "#aab3bf", field: "#8b95a3", fault: "#ffb4ab" },
  contrast: {
    paper: "#ffffff",
    primary: "#000000",
    ink: "#000000",
    soft: "#000000",
    field: "#000000",
    fault: "#8c0014",
  },
} as const;

/** Minimum contrast of text (WCAG 2.2, 1.4.3), in the contrast theme enhanced (1.4.6). */
const least = { light: 4.5, dark: 4.5, contrast: 7 };

/** Minimum contrast of a background and its theme's ink, so that paler texts are readable, too. */
const leastInk = 7;
const leastBorder = 3;

interface Background {
  paper: string;
  /** Background of hovered items and of notes. */
  wash: string;
  line: string;
  soft: string;
  /** Borders of fields. */
  field: string;
  fault: string;
}

interface Colors {
  primary: string;
  onPrimary: string;
  /** Undefined: the theme's own. */
  background?: Background;
}

/** Returns the survey's own colours, adjusted to the contrast that the theme needs. */
export function colorsOf(theme: Theme, wanted: string | null, behind: string | null = null): Colors {
  const { paper, primary: usual } = themes[theme];
  const background = behind === null ? undefined : backgroundOf(theme, behind);
  const primary = readable(wanted ?? usual, background?.wash ?? paper, least[theme]);
  const onPrimary = contrast(primary, "#ffffff") >= contrast(primary, "#000000") ? "#ffffff" : "#000000";
  return { primary, onPrimary, ...(background && { background }) };
}

/**
 * Moves the colour towards the theme's own background until texts are readable on it, then texts towards black or
 * white.
 */
function backgroundOf(theme: Theme, behind: string): Background {
  const { paper: end, ink, soft, field, fault } = themes[theme];
  const paper = moveTowards(behind, end, (color) => contrast(ink, mixColors(color, ink, 0.05)) >= leastInk);
  const wash = mixColors(paper, ink, 0.05);
  return {
    paper,
    wash,
    line: mixColors(paper, ink, 0.2),
    soft: readable(soft, wash, least[theme]),
    field: readable(field, wash, leastBorder),
    fault: readable(fault, wash, least[theme]),
  };
}

function readable(color: string, paper: string, wanted: number): string {
  const end = luminance(paper) > 0.18 ? "#000000" : "#ffffff";
  return moveTowards(color, end, (each) => contrast(each, paper) >= wanted);
}

/** The first colour on the way to `end` that fits, or `end`. */
function moveTowards(color: string, end: string, fits: (color: string) => boolean): string {
  for (let share = 0; share < 1; share += 0.02) {
    const each = mixColors(color, end, share);
    if (fits(each)) return each;
  }
  return end;
}

function mixColors(one: string, other: string, share: number): string {
  const [from, to] = [partsOf(one), partsOf(other)];
  return hex(from.map((part, index) => part + (to[index]! - part) * share));
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
