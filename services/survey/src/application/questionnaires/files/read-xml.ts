import { SaxesParser } from "saxes";
import { fileRefused } from "./file-refused.ts";

export interface XmlElement {
  name: string;
  text: string;
  children: XmlElement[];
}

const most = { depth: 30, elements: 300_000 };

/** Parses a UTF-8 XML file. Refuses a document type, so only the entities of XML exist. Throws `validation_failed`. */
export function readXml(file: Uint8Array): XmlElement {
  const parser = new SaxesParser({ position: true });
  const root: XmlElement = { name: "", text: "", children: [] };
  const open = [root];
  let count = 0;
  const refuse = (message: string) => {
    throw fileRefused(message, `line ${parser.line}, column ${parser.column}`);
  };
  const add = (text: string) => void (open.at(-1)!.text += text);
  parser.on("error", (error) =>
    refuse(`is no well-formed XML: ${error.message.replace(/^\d+:\d+: /, "").slice(0, 200)}`),
  );
  parser.on("doctype", () => refuse("has a document type, which is not taken"));
  parser.on("text", add);
  parser.on("cdata", add);
  parser.on("opentag", ({ name }) => {
    const element = { name, text: "", children: [] };
    if ((count += 1) > most.elements) refuse(`has more than ${most.elements} elements`);
    if (open.length > most.depth) refuse("is nested too deeply");
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => void open.pop());
  parser.write(textOf(file)).close();
  return root.children[0]!;
}

export const childOf = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((child) => child.name === name);

function textOf(file: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(file);
  } catch {
    throw fileRefused("is not UTF-8");
  }
}
