import type { ApiClient } from "@canvass/e2e";
import { measured, type BenchContext, type Measurement } from "./bench-context.ts";
import { publishDocument } from "./logic-survey.ts";

const languages = Array.from(
  { length: 30 },
  (_, number) => `x${String.fromCodePoint(97 + (number % 26))}${number < 26 ? "a" : "b"}`,
);
const questionCount = 100;

/**
 * Compares the bytes that a start by a link returns in a survey of thirty languages and in one of a single language.
 */
export async function measureLanguages({ demo: { api }, say }: BenchContext): Promise<Measurement> {
  const [many, one] = [await startBytes(api, languages), await startBytes(api, [])];
  say(`languages: ${many} bytes of a start in one of ${languages.length} languages, ${one} in the only one`);
  return measured("languages_start", [many], [one], "bytes");
}

async function startBytes(api: ApiClient, offered: readonly string[]): Promise<number> {
  const text = (number: number, language = "en") =>
    `Statement ${number + 1} of some length in the language ${language}`;
  const surveyId = await publishDocument(api, {
    name: "Languages",
    settings: { locale: { languages: offered } },
    pages: [
      {
        key: "page",
        elements: Array.from({ length: questionCount }, (_, number) => ({
          key: `q${number}`,
          type: "rating",
          text: text(number),
          translations: Object.fromEntries(offered.map((language) => [language, { text: text(number, language) }])),
        })),
      },
    ],
  });
  const { data: link } = await api.post(`/distribution/surveys/${surveyId}`, { name: "Link" });
  await api.post(`/distribution/${link.id}/activate`);
  const body = offered.length > 0 ? { language: offered[7] } : {};
  const { raw } = await api.post(`/public/v1/links/${link.code}/respondents`, body);
  if (offered.length > 0 && !raw.includes(text(0, offered[7]))) throw new Error("The start is not in the language");
  return Buffer.byteLength(raw);
}
