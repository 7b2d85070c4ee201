import { answerOwner } from "@canvass/fairness/threads";
import { Document, visit } from "yaml";
import type { Conversion, ConvertedText } from "./convert-document.ts";
import { readDocument } from "./read-document.ts";
import { readYaml } from "./read-yaml.ts";

// Runs in a thread, because the largest document takes seconds as YAML, and a tenth of a second as JSON.
answerOwner((conversion: Conversion): ConvertedText => {
  if (conversion.kind === "write") return { text: writeYaml(conversion.json), digest: "" };
  const toJson = (text: string) => (conversion.isYaml ? JSON.stringify(readYaml(text)) : text);
  return readDocument(conversion, toJson);
});

/** Long texts stay on one line, for short diffs. Blank texts are quoted, because a block would lose their spaces. */
function writeYaml(json: string): string {
  const document = new Document(JSON.parse(json), { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === "string" && node.value.trim() === "") node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0 });
}
