import { hasExtension, type FileRules } from "@canvass/questions";
import { AppError } from "@canvass/errors";
import { supportedExtensions } from "file-type";
import { lookup } from "mime-types";
import { extensionOf } from "../../domain/files/file-name.ts";

/** Type detected by the first bytes. Undefined for text and for unknown types. */
export type FoundType = { ext: string; mime: string } | undefined;

/** Extensions with common signatures. Extensions in one line are interchangeable. */
const alike = [
  "jpg jpeg jpe jfif",
  "tif tiff dng nef cr2 arw orf rw2",
  "mp4 m4v m4a m4b m4p mov qt 3gp 3g2 f4v f4a heic heif avif",
  "ogg oga ogv ogm ogx opus spx",
  "mkv webm mka",
  "asf wma wmv",
  "mp3 mp2 mp1 mpga",
  "mpg mpeg ts mts m2ts",
  "wav wave",
  "mid midi",
  "zip docx docm dotx dotm xlsx xlsm xltx xltm pptx pptm potx potm ppsx ppsm odt ott ods ots odp otp odg otg epub jar apk kmz 3mf vsdx pages numbers key",
  "cfb doc dot xls xlt ppt pps msg msi vsd pub",
  "gz tgz",
  "xml svg xhtml html htm gpx kml rss atom",
  "rtf doc",
].map((line) => new Set(line.split(" ")));

/** Known types whose files need no signature. */
const looselyKnown = new Set("xml ics vcf vtt mp1 mp2 mp3 mpga aac ac3 ts mts m2ts mpg mpeg dcm eps ps".split(" "));

/** Returns the media type. Throws `file_type_not_allowed` if the name is not accepted or contradicts the content. */
export function validateContent(name: string, found: FoundType, { extensions }: FileRules): string {
  if (!hasExtension(name, extensions)) throw notAllowed(extensions);
  const extension = extensionOf(name).toLowerCase();
  if (!isLike(extension, found, extensions)) throw notAllowed(extensions, found);
  const byName = lookup(extension);
  return (byName || found?.mime || "application/octet-stream").toLowerCase();
}

function isLike(extension: string, found: FoundType, allowed: readonly string[]): boolean {
  const isKnown = supportedExtensions.has(extension) || alike.some((set) => set.has(extension));
  if (!found) return !isKnown || looselyKnown.has(extension) || isMarkup(extension);
  if (isKnown) return found.ext === extension || alike.some((set) => set.has(extension) && set.has(found.ext));
  // The extension has no signature. Refuse other known content if types are limited, and binary content in text.
  return allowed.length === 0 && (!isText(extension) || isMarkup(found.ext) || writtenTypes.has(found.ext));
}

const isText = (extension: string): boolean => String(lookup(extension)).startsWith("text/");

const writtenTypes = new Set("rtf ics vcf vtt ps eps".split(" "));

const isMarkup = (extension: string): boolean => alike.some((set) => set.has("svg") && set.has(extension));

function notAllowed(extensions: readonly string[], found?: FoundType): AppError {
  const details = { ...(extensions.length > 0 && { extensions }), ...(found && { content: found.ext }) };
  return new AppError("file_type_not_allowed", details);
}
