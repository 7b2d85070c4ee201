import type { SurveySettings } from "@canvass/questions";
import { colorsOf } from "./colors.ts";

type Display = SurveySettings["display"];

/** Fonts that operating systems bring, so that the page loads none. The first is the one of `page/styles/theme.css`. */
const fonts: Record<Display["font"], string> = {
  system: "",
  humanist: "Seravek, 'Gill Sans Nova', Ubuntu, Calibri, 'DejaVu Sans', source-sans-pro, sans-serif",
  geometric: "Avenir, Montserrat, Corbel, 'URW Gothic', source-sans-pro, sans-serif",
  rounded:
    "ui-rounded, 'Hiragino Maru Gothic ProN', Quicksand, Comfortaa, Manjari, 'Arial Rounded MT Bold', sans-serif",
  serif: "Charter, 'Bitstream Charter', 'Sitka Text', Cambria, Georgia, serif",
  slab: "Rockwell, 'Rockwell Nova', 'Roboto Slab', 'DejaVu Serif', 'Sitka Small', serif",
  mono: "ui-monospace, 'Cascadia Code', 'Source Code Pro', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
};

/** Returns the CSS declarations of a survey's theme, which override those of `page/styles/theme.css`. */
export function themeStyle(display: Display): string {
  const { primary, onPrimary, background } = colorsOf(display.theme, display.primaryColor, display.backgroundColor);
  const { font, cornerRadius } = display;
  const declared = {
    primary,
    "on-primary": onPrimary,
    ...background,
    ...(background && { "fault-wash": background.wash }),
    ...(fonts[font] && { font: fonts[font] }),
    radius: `${cornerRadius}px`,
  };
  return Object.entries(declared)
    .map(([name, value]) => `--${name}: ${value}`)
    .join("; ");
}
