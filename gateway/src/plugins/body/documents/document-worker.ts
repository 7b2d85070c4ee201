import { AppError } from "@canvass/errors";
import { parentPort } from "node:worker_threads";
import { Document, visit } from "yaml";
import type { Conversion, Converted } from "./convert-document.ts";
import { readDocument } from "./read-document.ts";
import { readYaml } from "./read-yaml.ts";

// Runs in a thread, because the largest document takes seconds as YAML, and a tenth of a second as JSON.
const port = parentPort!;
port.on("message", (conversion: Conversion) => {
  port.postMessage(convert(conversion));
});

function convert(conversion: Conversion): Converted {
  try {
    if (conversion.kind === "write") return { text: writeYaml(conversion.json), digest: "" };
    const toJson = (text: string) => (conversion.isYaml ? JSON.stringify(readYaml(text)) : text);
    return readDocument(conversion, toJson);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, details, message } = error;
    return { code, details, message };
  }
}

/** Long texts stay on one line, so that a change shows as one. A block of blank lines would lose its blanks. */
function writeYaml(json: string): string {
  const document = new Document(JSON.parse(json), { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === "string" && node.value.trim() === "") node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0 });
}
