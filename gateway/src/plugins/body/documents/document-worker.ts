import { AppError } from "@canvass/errors";
import { parentPort } from "node:worker_threads";
import { stringify } from "yaml";
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

/** Long texts stay on one line, so that a change shows as one. */
function writeYaml(json: string): string {
  return stringify(JSON.parse(json), { lineWidth: 0, aliasDuplicateObjects: false });
}
