import type { Choice, Column } from "@canvass/questions";

export function toChoice(choice: Choice) {
  const { id, text, code = "", exclusive, freeText, pinned, imageUrl, format, required = false, retired } = choice;
  return {
    id,
    text,
    code,
    exclusive,
    freeText,
    pinned,
    imageUrl: imageUrl ?? "",
    format: format ?? "",
    required,
    retired,
  };
}

export function toColumn({ id, text, code = "", pinned, options = [], retired }: Column) {
  return { id, text, code, pinned, options: options.map(toChoice), retired };
}
