// Control characters, line ends, unpaired surrogates, zero-width spaces and direction marks.
const invisible = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/gu;

/** Converts untrusted text to one line of at most `maxLength` characters. */
export function oneLine(text: string, maxLength = 200): string {
  const characters = Array.from(text.replace(invisible, " ").replace(/\s+/g, " ").trim());
  return characters.length <= maxLength ? characters.join("") : `${characters.slice(0, maxLength - 1).join("")}…`;
}

/** Like `oneLine`, for names: `evil.example` becomes `evil[.]example`, which mail programs do not turn into a link. */
export function withoutLinks(text: string, maxLength?: number): string {
  return oneLine(text, maxLength)
    .replace(/:(?=\/\/)/g, "[:]")
    .replace(/(?<=[\p{L}\p{N}])[.\u3002\uff0e\uff61](?=[\p{L}]{2})/gu, "[.]")
    .replace(/@(?=\S)/g, "[@]");
}
