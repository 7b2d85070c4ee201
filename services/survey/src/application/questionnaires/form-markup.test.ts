import { expect, test } from "vitest";
import { escapeMarkup, fitLabel } from "./form-markup.ts";
import { reportItem } from "./report.ts";

test.each(["a < b & c", "Type <b>x</b>:\n\n\n\n  second  line", "List <b>\n- a\n  - b", "5 <b> 6\u00a0€ &amp; &lt;"])(
  "%j comes back as it was, once written into a form",
  (text) => {
    const item = reportItem("row");
    expect(fitLabel(escapeMarkup(text), 1_000, item)).toBe(text);
    expect(item.reasons).toEqual([]);
  },
);
