import type { Choice, Column } from "@canvass/questions";

export function toChoice({ id, text, code = "", imageUrl, format, required = false, retired }: Choice) {
  return { id, text, code, imageUrl: imageUrl ?? "", format: format ?? "", required, retired };
}

export function toColumn({ id, text, code = "", options = [], retired }: Column) {
  return { id, text, code, options: options.map(toChoice), retired };
}
