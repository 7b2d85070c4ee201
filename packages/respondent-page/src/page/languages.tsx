import type { Link } from "../saving/link-api.ts";
import { languageName } from "../words/languages.ts";
import type { Words } from "../words/words.ts";

export interface LanguagesProps {
  link: Link;
  words: Words;
  language: string;
  onLanguage: (language: string) => void;
}

export function Languages({ link, words, language, onLanguage }: LanguagesProps) {
  const { languages, settings } = link.survey;
  if (!settings.locale.showSwitch || languages.length < 2) return null;
  return (
    <label class="languages">
      <span class="sr-only">{words.language}</span>
      <select value={language} onChange={(event) => onLanguage(event.currentTarget.value)}>
        {languages.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {languageName(tag)}
          </option>
        ))}
      </select>
    </label>
  );
}
