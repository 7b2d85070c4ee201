import type { Words } from "../words/words.ts";

export const stoppedId = "stopped";

interface StoppedProps {
  /** Why the server accepts no answers; empty if it does. */
  text: string;
  words: Words;
  isKept: boolean;
  onRetry: () => void;
}

/** The caller focuses it when it appears (`stoppedId`). */
export function Stopped({ text, words, isKept, onRetry }: StoppedProps) {
  if (!text) return null;
  return (
    <section id={stoppedId} class="stopped" tabIndex={-1} role="alert">
      <p class="plain">{text}</p>
      <p>{isKept ? words.kept : words.keepOpen}</p>
      <button class="button" type="button" onClick={onRetry}>
        {words.retry}
      </button>
    </section>
  );
}
