import { parseTemplate } from "@canvass/questions";
import { escapeMarkup } from "../form-markup.ts";
import { recordLeftOut, type FormBuilder } from "./form-builder.ts";

/** What a form would read as the beginning of a reference. */
const references = /\$(?=\\\{\{|\{(?!\{))/g;

/** Writes placeholders (contract 6.19) as references of a form. */
export function writeTemplate(builder: FormBuilder, source: string): (text: string) => string {
  const write = ({ name, fallback }: { name: string; fallback: string | null }) => {
    const element = builder.elements.get(name);
    if (fallback !== null) recordLeftOut(builder, source, `the default of a placeholder: ${fallback.slice(0, 100)}`);
    if (element) return `\${${element.name}}`;
    if (name.startsWith("field.")) return `\${${name.slice("field.".length)}}`;
    recordLeftOut(builder, source, `the placeholder ${name.slice(0, 100)}`);
    return fallback ?? "";
  };
  return (text) => {
    const writable = withoutControls(text);
    const plain = writable.replaceAll(references, "$ ");
    if (plain !== writable)
      recordLeftOut(
        builder,
        source,
        "the sign ${ in a text: it is written as $ {, since a form would read an answer there",
      );
    const parts = parseTemplate(plain).parts.map((part) => (part.kind === "text" ? part.text : write(part)));
    return escapeMarkup(parts.join(""));
  };
}

const withoutControls = (text: string): string =>
  text.replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, (character) => (character === "\n" || character === "\t" ? character : ""));
