import { readFile } from "node:fs/promises";

/** Where pages of documents find the script of their search field. */
export const searchScriptPath = "/docs/js/search.js";

const source = new URL("../../../docs/search.js", import.meta.url);

export const readSearchScript = (): Promise<Buffer> => readFile(source);
