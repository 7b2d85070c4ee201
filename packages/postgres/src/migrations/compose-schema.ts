import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

/** Returns the service's `prisma/schema.prisma`, and the tables that its package.json lists (`canvass.tables`). */
export async function composeSchema(folder: string): Promise<string> {
  const own = await readFile(join(folder, "prisma/schema.prisma"), "utf8");
  const { resolve } = createRequire(join(folder, "package.json"));
  const fragments = (await listTables(folder)).map((table) => readFile(resolve(table), "utf8"));
  return [own, ...(await Promise.all(fragments))].join("\n");
}

async function listTables(folder: string): Promise<string[]> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
      canvass?: { tables?: string[] };
    };
    return manifest.canvass?.tables ?? [];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
