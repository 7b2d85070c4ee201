import { Languages, type LanguagesProps } from "./languages.tsx";

/** The screen before the questions. `served/render-page.ts` draws it alike. */
export function Welcome(props: LanguagesProps & { start: () => void }) {
  const { link, words, start } = props;
  const { name, description, settings } = link.survey;
  const { welcome, display } = settings;
  const text = welcome?.text ?? description;
  return (
    <main class="notice welcome">
      <Languages {...props} />
      {display.logo && <img class="logo" src={display.logo} alt="" />}
      <h1>{welcome?.title ?? name}</h1>
      {text && <p class="plain">{text}</p>}
      <button class="button main" type="button" onClick={start}>
        {welcome?.buttonStart ?? words.start}
      </button>
    </main>
  );
}
