import type { ComponentChildren } from "preact";
import type { Link } from "../saving/link-api.ts";
import { closedText } from "../words/closed-text.ts";
import type { Words } from "../words/words.ts";

export function Notice({ title, text, children }: { title: string; text: string; children?: ComponentChildren }) {
  return (
    <main class="notice">
      {/* Screen readers read the text with the heading, which has the focus. */}
      <h1 tabIndex={-1} aria-describedby="notice-text">
        {title}
      </h1>
      <p class="plain" id="notice-text">
        {text}
      </p>
      {children}
    </main>
  );
}

interface ThanksProps {
  link: Link;
  /** Null: only the text is visible. */
  title: string | null;
  text: string;
  children?: ComponentChildren;
}

function Thanks({ link, title, text, children }: ThanksProps) {
  const { name, settings } = link.survey;
  return (
    <main class="notice">
      {settings.display.logo && <img class="logo" src={settings.display.logo} alt="" />}
      <svg class="tick" viewBox="0 0 64 64" aria-hidden="true">
        <circle cx="32" cy="32" r="30" />
        <path d="m20 33 9 9 16-19" />
      </svg>
      <h1 class={title ? undefined : "sr-only"}>{title || name}</h1>
      <p class={title ? "plain" : "plain lead"} tabIndex={-1} role="status">
        {text}
      </p>
      {children}
    </main>
  );
}

/** Offers to answer again if the link is open and allows several responses per device. */
export function Done(props: {
  link: Link;
  words: Words;
  title: string | null;
  text: string;
  onward: string | null;
  begin: () => void;
}) {
  const { link, words, title, text, onward, begin } = props;
  const { buttonRedirect } = link.survey.settings.completion;
  return (
    <Thanks link={link} title={title} text={text}>
      {onward && buttonRedirect && (
        <a class="button main" href={onward}>
          {buttonRedirect}
        </a>
      )}
      {link.state === "open" && link.allowsMultiple && (
        <button class="button" type="button" onClick={begin}>
          {words.again}
        </button>
      )}
    </Thanks>
  );
}

/** The sandbox of the embedding page blocks requests, so this links to the survey in its own window. */
export function Framed({ words }: { words: Words }) {
  return (
    <Notice title={document.title} text={words.framed}>
      <a class="alone" href={location.href} target="_blank" rel="noopener">
        {location.href}
      </a>
    </Notice>
  );
}

export function Closed({ link, words, retry }: { link: Link; words: Words; retry: () => void }) {
  return (
    <Notice title={link.survey.name} text={link.message || closedText(words, link.reason)}>
      <button class="button" type="button" onClick={retry}>
        {words.retry}
      </button>
    </Notice>
  );
}
