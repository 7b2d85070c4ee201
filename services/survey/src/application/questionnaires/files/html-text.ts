import { Parser } from "htmlparser2";

export interface HtmlText {
  text: string;
  /** What is lost without markup, such as `a picture`. */
  lost: string[];
}

const blocks = new Set(["p", "div", "br", "li", "tr", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr"]);
const hidden = new Set(["script", "style", "head", "title", "iframe", "object", "noscript"]);
const losses: Record<string, string> = {
  img: "a picture",
  video: "a video",
  audio: "a sound",
  iframe: "embedded content",
  object: "embedded content",
  script: "a script",
  a: "the address of a link",
  input: "a field within the text",
  table: "a table",
};

/** Makes plain text of HTML. Nothing of it is run or loaded. */
export function htmlText(html: string): HtmlText {
  if (!/[<&]/.test(html)) return { text: html.trim(), lost: [] };
  const lost = new Set<string>();
  let text = "";
  let within = 0;
  const parser = new Parser({
    onopentag(name) {
      if (Object.hasOwn(losses, name)) lost.add(losses[name]!);
      else if (!blocks.has(name) && name !== "span") lost.add("formatting");
      if (hidden.has(name)) within += 1;
      if (blocks.has(name)) text += "\n";
    },
    onclosetag(name) {
      if (hidden.has(name)) within = Math.max(0, within - 1);
      if (blocks.has(name) && name !== "br") text += "\n";
    },
    ontext(data) {
      if (within === 0) text += data.replaceAll(/[ \t\r\n\u00a0]+/g, " ");
    },
  });
  parser.end(html);
  const plain = text
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return { text: plain, lost: [...lost] };
}
