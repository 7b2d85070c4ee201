import { readFile } from "node:fs/promises";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import * as bindings from "@prisma/schema-engine-wasm/schema_engine_bg";
import type { SchemaEngine } from "@prisma/schema-engine-wasm/schema_engine_bg";

type EngineImports = Record<string, (...words: never[]) => unknown>;

/** Declared here because its types come only with the DOM library. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: Record<string, EngineImports>): Promise<{ exports: Record<string, unknown> }>;
};

export const NO_FILTER = { externalTables: [], externalEnums: [] };

/** Creates Prisma's schema engine. `schema` is needed only to write migrations. The caller must free it. */
export async function createSchemaEngine(
  factory: SqlMigrationAwareDriverAdapterFactory,
  schema?: string,
): Promise<SchemaEngine> {
  await (loaded ??= load());
  const datamodels: [string, string][] | undefined = schema === undefined ? undefined : [["schema.prisma", schema]];
  return bindings.SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(factory));
}

let loaded: Promise<void> | undefined;

async function load(): Promise<void> {
  const file = new URL("schema_engine_bg.wasm", import.meta.resolve("@prisma/schema-engine-wasm/schema_engine_bg"));
  const module = await WebAssembly.compile(await readFile(file));
  const { exports } = await WebAssembly.instantiate(module, { "./schema_engine_bg.js": engineImports() });
  bindings.__wbg_set_wasm(exports);
  (exports as { __wbindgen_start: () => void }).__wbindgen_start();
}

/** Unreferences timers, because the engine leaves one running for ten seconds. */
function engineImports(): EngineImports {
  const imports = { ...bindings } as unknown as EngineImports;
  for (const name of Object.keys(imports).filter((key) => key.startsWith("__wbg_setTimeout_"))) {
    imports[name] = (callback: () => void, delayMs: number) => setTimeout(callback, delayMs).unref();
  }
  return imports;
}
