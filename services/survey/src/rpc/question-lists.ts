import type { Choice, Column } from "@canvass/questions";

export function toChoice({ id, text, imageUrl, retired }: Choice) {
  return { id, text, imageUrl: imageUrl ?? "", retired };
}

export function toColumn({ id, text, options = [], retired }: Column) {
  return { id, text, options: options.map(toChoice), retired };
}
