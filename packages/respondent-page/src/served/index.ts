export { closedText } from "../words/closed-text.ts";
export { en } from "../words/en.ts";
export { loadWords } from "../words/languages.ts";
export { firstPageOf, type FirstPage } from "./first-page.ts";
export { isAllowedOrigin } from "./is-allowed-origin.ts";
export { entryFiles, pageFiles, type EntryFiles, type PageFile } from "./page-files.ts";
export { pagePolicy, renderLinkPage, renderNotice, type ShownLink } from "./render-page.ts";
