export { createImportTable, importStatus, type ImportRef, type ImportState } from "./import-table.ts";
export { deleteChunk, findNextChunk, insertStagedRows, purgeStagedRows, type StagedChunk } from "./staged-rows.ts";
export { importKind, startImports, type Imports } from "./start-imports.ts";
