import type { DistributorType } from "@canvass/inputs";

/** Whether everybody uses the same code; otherwise each person has their own link. */
export function sharesCode(type: DistributorType): boolean {
  return type === "link" || type === "embed";
}
