import type { TranslatedPlace } from "@canvass/questions";
import { po, type GetTextTranslation, type GetTextTranslations } from "gettext-parser";
import { invalidFile, type FileEntry } from "./file-entry.ts";

/** Entries written, and characters read, between yields to the event loop. */
const atOnce = { entries: 100, characters: 32_768 };
const longestEntry = 131_072;

/**
 * Writes a PO file of gettext: the place is the context, and an outdated translation is fuzzy. Yields after each
 * portion of entries.
 */
export function* writingPo(places: readonly TranslatedPlace[], language: string): Generator<void, string> {
  const headers = {
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "MIME-Version": "1.0",
    Language: language.replaceAll("-", "_"),
  };
  const portions = [compiled([], headers)];
  for (let from = 0; from < places.length; from += atOnce.entries) {
    const text = compiled(places.slice(from, from + atOnce.entries), {});
    // The first block is the header.
    portions.push(text.slice(text.indexOf("\n\n") + 2));
    yield;
  }
  return `${portions.map((text) => text.trimEnd()).join("\n\n")}\n`;
}

function compiled(places: readonly TranslatedPlace[], headers: Record<string, string>): string {
  const translations: GetTextTranslations["translations"] = {};
  for (const { place, source, target, isOutdated } of places) {
    const comments = isOutdated ? { comments: { flag: "fuzzy" } } : {};
    translations[place] = { [source]: { msgctxt: place, msgid: source, msgstr: [target ?? ""], ...comments } };
  }
  return po.compile({ charset: "utf-8", headers, translations }, { foldLength: 0 }).toString();
}

/**
 * Reads a PO file, without its header and obsolete entries. Throws `validation_failed` for anything else. Yields after
 * each portion.
 */
export function* readingPo(text: string): Generator<void, FileEntry[]> {
  const entries: FileEntry[] = [];
  for (const portion of portionsOf(text)) {
    entries.push(...entriesOf(portion));
    yield;
  }
  return entries;
}

/** Cuts a file where an entry with a context, or its comments, follow an empty line. */
function* portionsOf(text: string): Generator<string> {
  let portion = "";
  for (const block of text.split(/\n[ \t]*\r?\n(?=#|msgctxt)/)) {
    if (block.length > longestEntry) throw invalidFile(`must have entries of at most ${longestEntry} characters`);
    portion += `${block}\n\n`;
    if (portion.length < atOnce.characters) continue;
    yield portion;
    portion = "";
  }
  yield portion;
}

function entriesOf(portion: string): FileEntry[] {
  const { "": withoutContext = {}, ...contexts } = parsed(portion).translations;
  // The empty text is the file's header.
  const lost = Object.keys(withoutContext).find((source) => source !== "");
  if (lost !== undefined)
    throw invalidFile(`must have a place as msgctxt of the text ${JSON.stringify(lost.slice(0, 50))}`);
  const read = Object.entries(contexts).flatMap(([place, entries]) =>
    // An entry that is cut off lacks its last parts.
    Object.values(entries as CutEntries).map(({ msgid = "", msgstr = [], comments }): FileEntry => {
      const flags = (comments?.flag ?? "").split(/[\s,]+/);
      return { place, source: msgid, target: msgstr[0] ?? "", mark: flags.includes("fuzzy") ? "fuzzy" : "" };
    }),
  );
  return [...read, ...overwrittenIn(portion, read)];
}

const context = /^msgctxt[ \t]+"(.+)"\r?$/gm;

/** The parser keeps only the last of equal entries. Returns an empty entry for each other, so that its place repeats. */
function overwrittenIn(portion: string, read: readonly FileEntry[]): FileEntry[] {
  const given = Map.groupBy(portion.matchAll(context), ([, place]) => place!);
  const kept = Map.groupBy(read, ({ place }) => place);
  return [...given].flatMap(([place, all]): FileEntry[] =>
    all.slice(kept.get(place)?.length ?? 0).map(() => ({ place, source: "", target: "", mark: "" })),
  );
}

type CutEntries = Record<string, Partial<GetTextTranslation>>;

function parsed(portion: string): GetTextTranslations {
  try {
    return po.parse(portion);
  } catch {
    throw invalidFile("must be a PO file of gettext");
  }
}
