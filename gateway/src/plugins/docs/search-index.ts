import type { Options } from "minisearch";
import type { RenderedGuide } from "./read-guide.ts";
import type { Guide } from "./guides.ts";

/** An entry of the search index. */
interface Entry {
  url: string;
  page: string;
  heading: string;
  text: string;
  excerpt: string;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
}

/** The parts of the OpenAPI document that the index needs. */
export interface SearchedDocument {
  paths: Record<string, Record<string, Operation>>;
}

const options: Options<Entry> = {
  idField: "url",
  fields: ["heading", "page", "text"],
  storeFields: ["url", "page", "heading", "excerpt"],
  searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
};

const excerptLength = 160;
/** Entries indexed in one turn of the event loop. */
const chunkSize = 20;

/** Returns the index of guides, contract and operations as JSON: MiniSearch's options, and its index. */
export async function buildSearchIndex(
  guides: readonly { guide: Guide; rendered: RenderedGuide }[],
  document: SearchedDocument,
): Promise<string> {
  const { default: MiniSearch } = await import("minisearch");
  const index = new MiniSearch(options);
  await index.addAllAsync([...guides.flatMap(sectionsOf), ...operationsOf(document)], { chunkSize });
  return JSON.stringify({ options, index });
}

function sectionsOf({
  guide: { path },
  rendered: { title, sections },
}: {
  guide: Guide;
  rendered: RenderedGuide;
}): Entry[] {
  return sections.map(({ id, heading, text }, position) => {
    const excerpt = text.replaceAll(/\s+/g, " ").trim().slice(0, excerptLength);
    return { url: position === 0 ? path : `${path}#${id}`, page: title, heading, text, excerpt };
  });
}

function operationsOf({ paths }: SearchedDocument): Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId)
      .map(([method, { operationId, tags, summary, description = "" }]) => {
        const address = `${method.toUpperCase()} ${path}`;
        const words = `${operationId} ${operationId.replaceAll(/([A-Z])/g, " $1")}`;
        return {
          url: `/docs/#${anchorOf(tags[0]!, method, path)}`,
          page: "API reference",
          heading: summary,
          text: `${address} ${words} ${description}`,
          excerpt: address,
        };
      }),
  );
}

/** The anchor that the reference page gives an operation. */
const anchorOf = (tag: string, method: string, path: string): string =>
  `tag/${tag.toLowerCase().replaceAll(" ", "-")}/${method.toUpperCase()}${path}`;
