import type { Choice, Column } from "@canvass/questions";

/** A choice, row or option as a message. */
export function toChoice({ id, text, imageUrl, retired }: Choice) {
  return { id, text, imageUrl: imageUrl ?? "", retired };
}

/** A column as a message. */
export function toColumn({ id, text, options = [], retired }: Column) {
  return { id, text, options: options.map(toChoice), retired };
}
