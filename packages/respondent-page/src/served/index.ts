export { loadWords } from "../words/languages.ts";
export { entryFiles, pageFiles, type EntryFiles, type PageFile } from "./page-files.ts";
export { pagePolicy, renderLinkPage, renderNotFound, type ShownLink } from "./render-page.ts";
