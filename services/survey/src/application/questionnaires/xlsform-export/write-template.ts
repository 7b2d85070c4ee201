import { parseTemplate } from "@canvass/questions";
import { escapeMarkup } from "../form-markup.ts";
import { recordLeftOut, type FormBuilder } from "./form-builder.ts";

/** Writes placeholders (contract 6.19) as references of a form. */
export function writeTemplate(builder: FormBuilder, source: string): (text: string) => string {
  return (text) =>
    escapeMarkup(
      parseTemplate(text)
        .parts.map((part) => {
          if (part.kind === "text") return part.text;
          const { name, fallback } = part;
          const element = builder.elements.get(name);
          if (fallback !== null)
            recordLeftOut(builder, source, `the default of a placeholder: ${fallback.slice(0, 100)}`);
          if (element) return `\${${element.name}}`;
          if (name.startsWith("field.")) return `\${${name.slice("field.".length)}}`;
          recordLeftOut(builder, source, `the placeholder ${name.slice(0, 100)}`);
          return fallback ?? "";
        })
        .join(""),
    ).replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, (character) => (character === "\n" || character === "\t" ? character : ""));
}
