/** Table style without colours or lines between rows, so that tables fit a screen. */
export const compactTable = {
  style: { head: [], border: [] },
  chars: { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" },
};
