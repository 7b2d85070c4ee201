/** What is shown in place of a password. */
const mask = "********";

const key = String.raw`(?:password|"password"|'password')[ \t]*:`;
const quoted = String.raw`"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*'`;
/** `true` keeps the password that is stored. */
const plain = String.raw`(?!\s*["']|[ \t]*(?:true|false|null|~)[ \t]*(?:[,}#\r\n]|$))`;

const inQuotes = new RegExp(String.raw`(${key}\s*)(?:${quoted})`, "g");
/** At the beginning of a line, with the deeper lines that continue it, as those of a block. */
const ofLine = new RegExp(
  String.raw`^([ \t]*)((?:[-?][ \t]+)*${key})${plain}.*(?:(?:\r?\n[ \t]*)*\r?\n\1[ \t]+\S.*)*`,
  "gm",
);
/** In braces, where it may end at a comma that is not its own: the rest of the line is hidden, too. */
const inBraces = new RegExp(String.raw`([{,][ \t]*${key})${plain}.+`, "gm");

/** Hides passwords in the text of a survey's document, so that its lines can be shown. */
export const maskPasswords = (text: string): string =>
  text.replaceAll(ofLine, `$1$2 ${mask}`).replaceAll(inBraces, `$1 ${mask}`).replaceAll(inQuotes, `$1${mask}`);
