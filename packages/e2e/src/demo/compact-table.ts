/** Tables without colours and lines between rows, so that they fit a screen. */
export const compactTable = {
  style: { head: [], border: [] },
  chars: { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" },
};
