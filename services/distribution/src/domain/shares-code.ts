import type { DistributorType } from "@canvass/inputs";

/** Whether everybody comes by the same code; else each person has a link of their own. */
export function sharesCode(type: DistributorType): boolean {
  return type === "link" || type === "embed";
}
