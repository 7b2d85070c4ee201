import type { Choice, Column } from "@canvass/questions";

export function toChoice({ id, text, code = "", exclusive, freeText, pinned, imageUrl, retired }: Choice) {
  return { id, text, code, exclusive, freeText, pinned, imageUrl: imageUrl ?? "", retired };
}

export function toColumn({ id, text, code = "", pinned, options = [], retired }: Column) {
  return { id, text, code, pinned, options: options.map(toChoice), retired };
}
