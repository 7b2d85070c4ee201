import { readFileSync, readdirSync } from "node:fs";

const folder = new URL("../../gen/assets/", import.meta.url);
const types: Record<string, string> = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" };
const codings = { br: ".br", gzip: ".gz" } as const;

/** The file's name contains a hash of its content, so the content never changes. */
export interface PageFile {
  type: string;
  plain: Buffer;
  br: Buffer;
  gzip: Buffer;
}

export function pageFiles(): ReadonlyMap<string, PageFile> {
  const names = readdirSync(folder).filter((name) => !/\.(br|gz)$/.test(name));
  const read = (name: string) => readFileSync(new URL(name, folder));
  return new Map(
    names.map((name) => [
      name,
      {
        type: types[name.split(".").at(-1)!] ?? "application/octet-stream",
        plain: read(name),
        br: read(name + codings.br),
        gzip: read(name + codings.gzip),
      },
    ]),
  );
}

export interface EntryFiles {
  script: string;
  styles: string[];
}

export function entryFiles(): EntryFiles {
  const manifest = JSON.parse(readFileSync(new URL("../../gen/manifest.json", import.meta.url), "utf8")) as Record<
    string,
    { file: string; css?: string[]; isEntry?: boolean }
  >;
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry)!;
  const nameOf = (path: string) => path.split("/").at(-1)!;
  return { script: nameOf(entry.file), styles: (entry.css ?? []).map(nameOf) };
}
