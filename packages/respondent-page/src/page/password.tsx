import { useState } from "preact/hooks";
import type { Words } from "../words/words.ts";

interface PasswordProps {
  words: Words;
  title: string;
  /** The sentence that says why not; null when it opened. */
  open: (password: string) => Promise<string | null>;
}

export function Password({ words, title, open }: PasswordProps) {
  const [fault, setFault] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const password = new FormData(event.currentTarget as HTMLFormElement).get("password");
    setFault(await open(typeof password === "string" ? password : ""));
    setBusy(false);
  }
  return (
    <main class="notice">
      <h1 tabIndex={-1}>{title}</h1>
      <p>{words.passwordTitle}</p>
      <form class="password" onSubmit={(event) => void submit(event)}>
        <label for="password">{words.password}</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="off"
          required
          aria-invalid={fault !== null}
          aria-describedby="password-fault"
        />
        <p id="password-fault" class="fault" role="alert">
          {fault}
        </p>
        <button class="button main" type="submit" disabled={isBusy}>
          {words.open}
        </button>
      </form>
    </main>
  );
}
